"""`ddl-lint diagnose`: from the logs of a job that died to the line of code."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from ddl_lint.check.traced_program import TraceError
from ddl_lint.commands.beginning import begin
from ddl_lint.commands.check_request import usable_cores
from ddl_lint.commands.console import is_closed, say, write
from ddl_lint.commands.installed import installed_rules
from ddl_lint.commands.outcome import CLEAN, FAILURE, UserError
from ddl_lint.commands.progress import checking, counting
from ddl_lint.commands.terminal import has_colour
from ddl_lint.diagnose import Code, answer, read, read_code
from ddl_lint.diagnose.facts import Log
from ddl_lint.diagnose.inputs import STDIN, find_inputs
from ddl_lint.diagnose.shown import Look, render
from ddl_lint.escape import one_line
from ddl_lint.storage import user_storage

_PAGE_WIDTH = 100  # characters of a line where there is no terminal


def run(options: argparse.Namespace) -> int:
    """Show what became of the job. What is found does not decide the exit code: a job that died is why one asks."""
    logs = list(dict.fromkeys(options.logs))
    folder = _code(options.code)
    begin([folder])
    log = read_logs(logs)
    storage = user_storage()
    installed = installed_rules(storage)

    def code() -> Code:
        with checking(0):
            known = read_code(folder, installed, storage, jobs=usable_cores())
        return known if options.job is None else known.of_job(known.named_job(options.job))

    try:
        found = answer(log, code, installed)
    except TraceError as error:
        raise UserError(str(error)) from None
    to_screen = options.output_file is None
    redact = options.output_format == "html" if options.redact is None else options.redact
    look = Look(
        width=shutil.get_terminal_size((_PAGE_WIDTH, 0)).columns if to_screen else _PAGE_WIDTH,
        colour=to_screen and options.output_format == "text" and has_colour(sys.stdout),
        redact=redact,
    )
    write(render(found, options.output_format, look), options.output_file)
    for problem in log.problems if options.output_format != "text" else ():
        say(f"warning: {one_line(problem)}")
    return FAILURE if log.problems else CLEAN


def read_logs(logs: Sequence[str]) -> Log:
    """What some logs say. Raises `UserError` where there is nothing to read."""
    if STDIN in logs and (is_closed("stdin") or sys.stdin is None):
        raise UserError("stdin is closed: nothing can be read")
    total = sum(each.size for each in find_inputs(logs)[0])
    with counting(sys.stderr, total) as progress:
        log = read(logs, sys.stdin.buffer if STDIN in logs else None, progress)
    if not log.files:
        raise UserError("; ".join(log.problems) or "there is no log to read")
    return log


def _code(name: str) -> Path:
    """The folder of the code, absolute."""
    path = Path(os.path.abspath(name))
    if not path.exists():
        raise UserError(f"--code {name}: there is no such file or folder")
    return path
