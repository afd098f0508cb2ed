"""Bytes of a source file to text, by the rules of Python: byte order mark, coding line (PEP 263), else UTF-8."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

DEFAULT_MAX_BYTES = 10_000_000


class SourceError(Exception):
    """A file that cannot be read as source.

    `message` says what the file is or does that is wrong, without naming it; `line` counts from 1 where it is known.
    """

    def __init__(self, path: str, message: str, line: int | None = None) -> None:
        super().__init__(path, message, line)
        self.path = path
        self.message = message
        self.line = line

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {self.message}"


class Decoded(NamedTuple):
    """Text without byte order mark, the normalised name of its encoding, and whether a mark was there."""

    text: str
    encoding: str
    has_bom: bool


_HEAD = re.compile(rb"([^\r\n]*)(?:\r\n?|\n)?([^\r\n]*)")
_CODING = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_NO_CODE = re.compile(rb"[ \t\f]*(?:#|\Z)")
_WIDE_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}


def check_size(path: str, size: int, max_bytes: int = DEFAULT_MAX_BYTES) -> None:
    """Raise `SourceError` for a file that is too large to be checked."""
    if size > max_bytes:
        raise SourceError(
            path, f"is too large to be checked: {size / 1e6:.1f} MB, and the limit is {max_bytes / 1e6:g} MB"
        )


def decode(path: str, data: bytes) -> Decoded:
    """Decode a Python file. Raises `SourceError` with the line of the fault."""
    for mark, name in _WIDE_MARKS.items():
        if data.startswith(mark):
            raise SourceError(path, f"is written in {name}, which Python does not read; save it as UTF-8", 1)
    if (nul := data.find(b"\0")) >= 0:
        raise SourceError(path, f"holds a NUL byte at offset {nul}; it is not Python source", line_of(data, nul))
    has_bom = data.startswith(codecs.BOM_UTF8)
    body = data[len(codecs.BOM_UTF8) :] if has_bom else data
    named, line = _coding_line(body)
    try:
        encoding = codecs.lookup(named or "utf-8").name
    except LookupError:
        raise SourceError(path, f"names in its coding line an unknown encoding, '{named}'", line) from None
    if has_bom and encoding not in ("utf-8", "utf-8-sig"):
        message = f"says '{named}' in its coding line, but begins with the byte order mark of UTF-8"
        raise SourceError(path, message, line)
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        offset = error.start + len(data) - len(body)
        byte = f"byte 0x{data[offset]:02x} at offset {offset}" if offset < len(data) else "its last bytes"
        hint = "" if named else "; save it as UTF-8 or name its encoding in a coding line"
        message = f"is not valid {encoding.upper()}: cannot decode {byte}{hint}"
        raise SourceError(path, message, line_of(data, offset)) from None
    except (LookupError, UnicodeError):
        raise SourceError(path, f"names '{named}' in its coding line, which is not a text encoding", line) from None
    if named and named not in text:
        raise SourceError(path, f"says '{named}' in its coding line, but is not written in it", line)
    return Decoded(text, encoding, has_bom)


def line_of(data: bytes, offset: int) -> int:
    """The line, from 1, that a byte offset is on."""
    return len(re.findall(rb"\r\n?|\n", data[:offset])) + 1


def _coding_line(data: bytes) -> tuple[str | None, int]:
    """The encoding that the first two lines name, and on which line."""
    head = _HEAD.match(data)
    first, second = head.groups() if head else (b"", b"")
    if match := _CODING.match(first):
        return match.group(1).decode("ascii", "replace"), 1
    if _NO_CODE.match(first) and (match := _CODING.match(second)):
        return match.group(1).decode("ascii", "replace"), 2
    return None, 1
