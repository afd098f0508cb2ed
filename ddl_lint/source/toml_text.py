"""Reads TOML that a stranger may have written. No other module calls the parser.

Python's parser takes time with the square of the number of parts of a key, and fails in its own ways on texts that are
nested deeply or hold numbers of thousands of digits.
"""

from __future__ import annotations

import functools
import re
import sys
from typing import Any

from ddl_lint.source.regular_file import SETTINGS_MAX_BYTES

_MOST_PARTS = 32
"""Of a key. No tool asks for a third of them."""

_STRING_OR_COMMENT = re.compile(
    r'''"""(?:[^"\\]+|\\.|"(?!""))*(?:"{3,5})?'''
    r"""|'''(?:[^']+|'(?!''))*(?:'{3,5})?"""
    r"""|"(?:[^"\\\n]+|\\.)*"?"""
    r"""|'[^'\n]*'?"""
    r"""|#[^\n]*""",
    re.DOTALL,
)
_PLACE = re.compile(r" \(at (?:line (\d+)|end of document).*\)$")
_LONG_KEY = re.compile(rf"(?<![\w-])(?:[\w-]+[ \t]*\.[ \t]*){{{_MOST_PARTS}}}")


_LONG_NUMBER = re.compile(r"0(?:x[0-9a-fA-F_]{1000}|[bo][0-7_]{1000})")
_TOO_LONG = "has a number that is too long"


class TomlError(Exception):
    """The text is no TOML that we read. `str()` of it says why; `line` counts from 1 and is None where unknown."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


def read_toml(text: str) -> dict[str, Any]:
    """What a text holds. It is parsed once, and all who ask get the same object, which must not change.

    Raises:
        TomlError: it is not valid, nested too deeply, or has a key of too many parts.
    """
    found = _known(text) if len(text) <= SETTINGS_MAX_BYTES else _parsed(text)  # a long one is asked for once
    if isinstance(found, TomlError):
        raise TomlError(str(found), found.line)
    return found


def _parsed(text: str) -> dict[str, Any] | TomlError:
    fault = _beyond_limits(text)
    if fault is not None:
        return fault
    if sys.version_info >= (3, 11):  # here, since most checks read no TOML
        import tomllib
    else:
        import tomli as tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        line = int(place[1]) if place and place[1] else max(1, len(text.splitlines()))
        return TomlError(f"is not valid TOML: {_PLACE.sub('', str(error))}", line)
    except ValueError:  # Python converts no number of thousands of digits
        return TomlError(_TOO_LONG)
    except RecursionError:
        return TomlError("is nested too deeply")


_known = functools.lru_cache(maxsize=32)(_parsed)


def _beyond_limits(text: str) -> TomlError | None:
    """What keeps a text from the parser."""
    has_dots = any(line.count(".") >= _MOST_PARTS for line in text.split("\n"))
    if not has_dots and _LONG_NUMBER.search(text) is None:  # nearly all texts
        return None
    # A key is seen as one whatever its quotes hold, and what only looks like one in a string is none.
    plain = _STRING_OR_COMMENT.sub(_blanked, text)
    for pattern, message in ((_LONG_KEY, f"has a key of more than {_MOST_PARTS} parts"), (_LONG_NUMBER, _TOO_LONG)):
        if found := pattern.search(plain):
            return TomlError(message, plain.count("\n", 0, found.start()) + 1)
    return None


def _blanked(found: re.Match[str]) -> str:
    """A string as a word and a comment as nothing, with as many lines as before."""
    text: str = found[0]
    if text.startswith("#"):
        return ""
    return "s" + "\n" * text.count("\n")
