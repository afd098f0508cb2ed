"""Options that several commands have."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ddl_lint.commands.terminal import WHENS

Options = argparse._ActionsContainer  # pyright: ignore[reportPrivateUsage]
"""A parser, or a group of its options."""


def path(text: str) -> Path:
    """A path that is given as an option."""
    return Path(not_empty(text))


def not_empty(text: str) -> str:
    """A word that says something: an empty one is a variable that was not set, and means no folder at all."""
    if not text:
        raise argparse.ArgumentTypeError("the path is empty; is a variable not set?")
    return text


def add_format(parser: Options, formats: Sequence[str]) -> None:
    """The format of the output, `text` unless another one is asked for."""
    parser.add_argument("--output-format", choices=formats, default="text", help="format of the output (default: text)")
    # Its name in the first releases of `trace` and `jobs`.
    parser.add_argument(
        "--format", dest="output_format", choices=formats, default=argparse.SUPPRESS, help=argparse.SUPPRESS
    )


def add_output_file(parser: Options) -> None:
    """A file in place of stdout."""
    parser.add_argument("--output-file", type=path, metavar="FILE", help="write to this file instead of stdout")


def add_color(parser: argparse.ArgumentParser, default: str) -> None:
    """Whether the output is coloured."""
    text = "when to print colours and links (default: auto, on terminals; NO_COLOR and FORCE_COLOR are respected)"
    parser.add_argument("--color", choices=WHENS, default=default, help=text)


def add_cache_folder(parser: Options) -> None:
    """Where results are stored."""
    parser.add_argument(
        "--cache-dir",
        type=path,
        metavar="FOLDER",
        help="folder of stored results (default: $DDL_LINT_CACHE_DIR, or ddl-lint in the user's cache folder)",
    )


def add_rules(group: Options, flag: str, default: list[str] | None, text: str) -> None:
    """An option that takes rules, separated by commas or given several times."""
    group.add_argument(flag, action="extend", type=_words, default=default, metavar="RULE[,RULE]", help=text)


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]
