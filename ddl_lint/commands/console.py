"""What commands say: to the terminal, or into a file."""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import suppress
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
    except OSError as error:
        _give_up_stdout(error)
    flush()


def flush() -> None:
    """Bring out what was put on stdout. Raises `UserError` where that cannot be written."""
    try:
        sys.stdout.flush()
    except OSError as error:
        _give_up_stdout(error)


def _give_up_stdout(error: OSError) -> None:
    # What is still in the buffer would be tried again at the end of the process.
    with open(os.devnull, "w") as devnull:
        os.dup2(devnull.fileno(), sys.stdout.fileno())
    if not isinstance(error, BrokenPipeError):
        raise UserError(f"stdout {_reason(error, 'written')}") from None
    # The reader (`| head`) has seen enough. What was found still decides the exit code.


def read_stdin() -> bytes:
    """All that comes from stdin. Raises `UserError` where nothing can be read."""
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise UserError(f"stdin {_reason(error, 'read')}") from None


def _reason(error: OSError, done: str) -> str:
    if error.errno == errno.EBADF:
        return f"is closed: nothing can be {done}"
    return f"cannot be {done}: {error.strerror or error}"


def say(text: str) -> None:
    """Tell something beside the output, on stderr."""
    _tell(several_lines(text))


def complain(text: str) -> None:
    """Tell what went wrong."""
    label = "\x1b[1;31merror\x1b[0m" if has_colour(sys.stderr) else "error"
    _tell(f"{label}: {several_lines(text)}")


def _tell(text: str) -> None:
    with suppress(OSError):  # the exit code still says it
        print(text, file=sys.stderr)


def open_closed_streams() -> None:
    """Put something in the place of streams that were closed (`>&-`), which fails when it is used.

    Without it Python has no object for them, and the next file that is opened would get their number.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:
            # Opened the wrong way round, but for stderr: what is told beside the output may be lost.
            flags = os.O_RDONLY if name == "stdout" else os.O_WRONLY
            if os.open(os.devnull, flags) == number:
                setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))
                _closed.add(name)


def is_closed(stream: str) -> bool:
    """Whether a stream (`stdin`) was closed when the program began."""
    return stream in _closed


_closed: set[str] = set()


def never_fail_to_print() -> None:
    """File names and code may hold what the terminal's encoding cannot say."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
