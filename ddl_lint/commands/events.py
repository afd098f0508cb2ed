"""`ddl-lint events`: shows what rules see of a file, for who writes one."""

from __future__ import annotations

import argparse
import os
import re

from ddl_lint.check.seen_events import seen_events
from ddl_lint.check.traced_program import TraceError
from ddl_lint.commands.beginning import begin
from ddl_lint.commands.console import say, write
from ddl_lint.commands.outcome import CLEAN, UserError
from ddl_lint.commands.trace import program_file
from ddl_lint.output.events import render
from ddl_lint.project import config


def run(options: argparse.Namespace) -> int:
    """Show the events of a file, or of one of its lines. Raises `UserError` where there is nothing to show."""
    name, line = options.target, None
    if not os.path.exists(name) and (found := re.fullmatch(r"(.+):(\d+)", name)):
        name, line = found[1], int(found[2])
    path = program_file(name, "events")
    begin([path])
    try:
        seen = seen_events(path, line, config.resolve(path))
    except (config.ConfigError, TraceError) as error:
        raise UserError(str(error)) from None
    for fault in seen.faults:
        say(f"warning: {fault.location.path}: {fault.message}")
    if not seen.runs:
        where = f"{name}:{line}" if line is not None else name
        raise UserError(
            f"{where}: rules see nothing here; `ddl-lint events {name}` shows all that they see of the file"
        )
    runs = [(each.run, each.events, each.ranks) for each in seen.runs]
    write(render(runs, seen.documents, options.output_format), options.output_file)
    return CLEAN
