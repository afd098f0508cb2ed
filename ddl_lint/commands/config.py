"""`ddl-lint config`: shows which configuration applies, and why."""

from __future__ import annotations

import argparse
import dataclasses
import json

from ddl_lint.commands.console import write
from ddl_lint.commands.outcome import CLEAN, UserError
from ddl_lint.project import config


def run(options: argparse.Namespace) -> int:
    """Show the configuration files that were looked at, and the settings. Raises `UserError` where one is broken."""
    try:
        for candidate in config.search(options.path):
            write(f"{'used' if candidate.used else 'not used'}: {candidate.file} ({candidate.reason})\n")
        settings = config.resolve(options.path)
    except config.ConfigError as error:
        raise UserError(str(error)) from None
    if settings.source is None:
        write("There is no configuration in this folder or above it: the defaults apply.\n")
    write("\nSettings:\n")
    for field in dataclasses.fields(settings):
        if field.name not in ("root", "source"):
            value = json.dumps(getattr(settings, field.name), default=str)
            write(f"  {field.name.replace('_', '-')} = {value}\n")
    return CLEAN
