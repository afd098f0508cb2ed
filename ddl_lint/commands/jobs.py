"""`ddl-lint jobs`: shows what is believed about the launches of a project."""

from __future__ import annotations

import argparse
from pathlib import Path

from ddl_lint.check.configuration import Configuration, Resolver
from ddl_lint.check.job_table import job_rows
from ddl_lint.commands.beginning import begin
from ddl_lint.commands.console import say, write
from ddl_lint.commands.installed import installed_rules
from ddl_lint.commands.outcome import CLEAN, FAILURE
from ddl_lint.output.jobs import render
from ddl_lint.project.discover import discover
from ddl_lint.storage import user_storage


def run(options: argparse.Namespace) -> int:
    """Show one row for each launch line."""
    begin(options.paths or [Path()])
    settings_for = Resolver(Configuration(), installed_rules(user_storage()).rules)
    found = discover(options.paths or [Path()], settings_for)
    for problem in found.problems:
        say(f"error: {problem.path}: {problem.message}")
    rows, files = job_rows(found.files)
    write(render(rows, files, options.output_format), options.output_file)
    return FAILURE if found.problems else CLEAN
