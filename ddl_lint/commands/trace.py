"""`ddl-lint trace`: shows what the ranks of a script do together, or which of them execute a line."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
from pathlib import Path

from ddl_lint.check import rank_questions
from ddl_lint.commands.console import has_colour, say, write
from ddl_lint.commands.outcome import CLEAN, UserError
from ddl_lint.output import trace as output
from ddl_lint.project import config
from ddl_lint.project.config import Settings

_PAGE_WIDTH = 100  # characters of a line where there is no terminal


def run(options: argparse.Namespace) -> int:
    """Show what is asked for. Raises `UserError` where there is nothing to show."""
    name, _, function = options.target.partition("::")
    line = None
    if not os.path.exists(name) and (found := re.fullmatch(r"(.+):(\d+)", name)) and not function:
        name, line = found[1], int(found[2])
    path = _traceable(name)
    try:
        settings = config.resolve(path)
        text = _trace(path, settings, function, options) if line is None else _who_runs(name, path, line, settings)
    except (config.ConfigError, rank_questions.TraceError) as error:
        raise UserError(str(error)) from None
    write(text, options.output_file)
    return CLEAN


def _who_runs(name: str, path: Path, line: int, settings: Settings) -> str:
    answer = rank_questions.who_runs([path], path, line, settings)
    if not answer.is_code:
        raise UserError(f"{name}:{line}: there is no code on this line")
    return output.who(answer.runs, answer.documents, path.as_posix(), line)


def _trace(path: Path, settings: Settings, function: str, options: argparse.Namespace) -> str:
    traced = rank_questions.trace(path, settings, function)
    for fault in traced.faults:
        say(f"warning: {fault.location.path}: {fault.message}")
    to_screen = options.output_file is None
    return output.render(
        traced.communication,
        traced.documents,
        options.format,
        output.Presentation(width=shutil.get_terminal_size((_PAGE_WIDTH, 0)).columns if to_screen else _PAGE_WIDTH,
        colour=to_screen and has_colour(sys.stdout)),
    )


def _traceable(name: str) -> Path:
    """The file to trace, absolute."""
    path = Path(os.path.abspath(name))
    if path.is_dir():
        raise UserError(
            f"{name}: is a folder; name one script, such as `ddl-lint trace {Path(name, 'train.py').as_posix()}`"
        )
    if not path.is_file():
        raise UserError(f"{name}: there is no such file")
    if path.suffix not in (".py", ".ipynb"):
        raise UserError(f"{name}: is no Python file or notebook")
    return path
