"""`--output-format` and `--output-file` of `ddl-lint check`: several outputs of one run, in pairs."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ddl_lint.commands.outcome import UserError
from ddl_lint.commands.shared_options import Options, path

DEFAULT = "text"


@dataclass(frozen=True)
class Output:
    """One output: a format, and the file that it goes to; None: stdout."""

    format: str = ""
    file: Path | None = None


def add_outputs(parser: Options, formats: Sequence[str]) -> None:
    """The options, both of which may be given several times."""
    parser.add_argument(
        "--output-format",
        action=_Add,
        choices=formats,
        default=None,
        dest="outputs",
        help="format of the output (default: text); repeat it, each with its own --output-file, for several outputs",
    )
    # Its name in the first releases of `trace` and `jobs`.
    parser.add_argument("--format", action=_Add, choices=formats, dest="outputs", help=argparse.SUPPRESS)
    parser.add_argument(
        "--output-file",
        action=_Add,
        type=path,
        metavar="FILE",
        dest="outputs",
        help="write to this file instead of stdout",
    )


class _Add(argparse.Action):
    """A file belongs to the format before it, or else to the one after it."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        outputs: list[Output] = list(getattr(namespace, self.dest) or [])
        last = outputs[-1] if outputs else None
        if isinstance(values, Path):
            if last is not None and last.file is None:
                outputs[-1] = replace(last, file=values)
            else:
                outputs.append(Output(file=values))
        elif last is not None and not last.format:
            outputs[-1] = replace(last, format=values)
        else:
            outputs.append(Output(values))
        setattr(namespace, self.dest, outputs)


def outputs_of(given: Iterable[Output] | None) -> list[Output]:
    """The outputs that are asked for. Raises `UserError` where two of them would go into one file."""
    outputs = [replace(each, format=each.format or DEFAULT) for each in given or ()] or [Output(DEFAULT)]
    files = [each.file for each in outputs if each.file is not None]
    for index, file in enumerate(files):
        if file in files[:index]:
            raise UserError(f"--output-file {file} is given twice; each output needs a file of its own")
    if files:
        from ddl_lint.commands.output_file import check_place

        for file in files:  # before the check, which may take a while
            check_place(file)
    return outputs
