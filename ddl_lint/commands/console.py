"""What commands say: to the terminal, or into a file."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

from ddl_lint.commands.outcome import UserError
from ddl_lint.commands.terminal import has_colour
from ddl_lint.escape import several_lines

if TYPE_CHECKING:
    from pathlib import Path


def write(text: str, file: Path | None = None) -> None:
    """Put a text on stdout, or into a file. Raises `UserError` where that cannot be written."""
    if file:
        from ddl_lint.commands.output_file import put  # few commands write a file

        try:
            put(file, text)
        except OSError as error:
            raise UserError(f"{file}: cannot be written: {error.strerror or error}") from None
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader (`| head`) has seen enough. What was found still decides the exit code.
        with open(os.devnull, "w") as devnull:
            os.dup2(devnull.fileno(), sys.stdout.fileno())


def say(text: str) -> None:
    """Tell something beside the output, on stderr."""
    print(several_lines(text), file=sys.stderr)


def complain(text: str) -> None:
    """Tell what went wrong."""
    label = "\x1b[1;31merror\x1b[0m" if has_colour(sys.stderr) else "error"
    print(f"{label}: {several_lines(text)}", file=sys.stderr)


def never_fail_to_print() -> None:
    """File names and code may hold what the terminal's encoding cannot say."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
