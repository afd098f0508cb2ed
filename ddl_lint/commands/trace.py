"""`ddl-lint trace`: shows what the ranks of a script do together, or which of them execute a line."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ddl_lint.check.rank_questions import Traced, trace
from ddl_lint.check.traced_line import trace_line
from ddl_lint.check.traced_program import TraceError
from ddl_lint.commands.beginning import begin
from ddl_lint.commands.console import say, write
from ddl_lint.commands.outcome import CLEAN, UserError
from ddl_lint.commands.terminal import has_colour
from ddl_lint.output import trace as output
from ddl_lint.project import config
from ddl_lint.project.config import Settings
from ddl_lint.project.git_remote import repository_page
from ddl_lint.project.project_context import marked_root
from ddl_lint.registry.rules import Rule, load_rules

_PAGE_WIDTH = 100  # characters of a line where there is no terminal
_FROM_GIT = "git"  # the value of `--link-base` that asks the repository


def run(options: argparse.Namespace) -> int:
    """Show what is asked for. Raises `UserError` where there is nothing to show."""
    name, _, function = options.target.partition("::")
    line = None
    if not os.path.exists(name) and (found := re.fullmatch(r"(.+):(\d+)", name)) and not function:
        name, line = found[1], int(found[2])
    path = program_file(name, "trace")
    begin([path])
    presentation = _presentation(path, options)
    try:
        settings = config.resolve(path)
        rules = load_rules()
        if line is None:
            traced = trace(path, settings, function, rules=rules, job=options.job)
            text = _shown(traced, options.output_format, presentation)
        else:
            text = _at_line(name, path, line, settings, rules, options, presentation)
    except (config.ConfigError, TraceError) as error:
        raise UserError(str(error)) from None
    write(text, options.output_file)
    return CLEAN


def _at_line(
    name: str,
    path: Path,
    line: int,
    settings: Settings,
    rules: Sequence[Rule],
    options: argparse.Namespace,
    presentation: output.Presentation,
) -> str:
    """Which ranks execute a line, and the trace opened there."""
    answer = trace_line(path, line, settings, rules=rules, job=options.job)
    if not answer.who.is_code:
        raise UserError(f"{name}:{line}: there is no code on this line")
    who = output.who(answer.who.runs, answer.who.documents, path.as_posix(), line)
    if answer.traced is not None:
        focus = output.Focus(path.as_posix(), line, who, output.places(answer.who.runs))
        return _shown(answer.traced, options.output_format, replace(presentation, focus=focus))
    if options.output_format != "text":
        raise UserError(f"{name}:{line}: there is no trace to show, since nothing that was followed gets to this line")
    return who


def _shown(traced: Traced, format: str, presentation: output.Presentation) -> str:
    for fault in traced.faults:
        say(f"warning: {fault.location.path}: {fault.message}")
    return output.render(traced.communication, traced.documents, format, presentation)


def _presentation(path: Path, options: argparse.Namespace) -> output.Presentation:
    to_screen = options.output_file is None
    return output.Presentation(
        width=shutil.get_terminal_size((_PAGE_WIDTH, 0)).columns if to_screen else _PAGE_WIDTH,
        colour=to_screen and has_colour(sys.stdout),
        links=_links(path, options.link_base) if options.link_base else None,
    )


def _links(path: Path, base: str) -> output.Links:
    if base == _FROM_GIT:
        page = repository_page(path)
        if page is None:
            raise UserError(
                f"--link-base {_FROM_GIT}: there is no commit and remote `origin` around {path.name}; "
                "give the address, such as https://host/org/repo/blob/REV/"
            )
        return output.Links(page.base, page.root.as_posix())
    if not output.is_web_address(base):
        raise UserError(f"--link-base {base}: is no http or https address")
    root = marked_root(path.parent) or Path.cwd()
    return output.Links(base, root.as_posix())


def program_file(name: str, command: str) -> Path:
    """The Python file or notebook that a command was given, absolute. Raises `UserError` where it is none."""
    path = Path(os.path.abspath(name))
    if path.is_dir():
        raise UserError(
            f"{name}: is a folder; name one script, such as `ddl-lint {command} {Path(name, 'train.py').as_posix()}`"
        )
    if not path.is_file():
        raise UserError(f"{name}: there is no such file")
    if path.suffix not in (".py", ".ipynb"):
        raise UserError(f"{name}: is no Python file or notebook")
    return path
