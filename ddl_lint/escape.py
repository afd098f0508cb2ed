"""Text of the checked project as text of ours: nothing in it acts on a terminal, turns the reading direction or begins
a line.
"""

from __future__ import annotations

import re
import unicodedata

_JOINERS = "\u200c\u200d"
_COMMAND = re.compile(r"^([^\S\n]*)([:#])(?=:|#\[|#vso)", re.MULTILINE)
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def is_printable(character: str) -> bool:
    """Whether a character only shows something, on the line that it is in."""
    category = unicodedata.category(character)
    return (not category.startswith("C") and category not in ("Zl", "Zp")) or character in _JOINERS


def one_line(text: str) -> str:
    r"""A text on one line: what acts on a terminal is written as in Python, such as `\n`, `\x1b` and `\u202e`; and the
    first sign of what begins like a command to a CI system, because the text may begin a line.
    """
    text = without_commands(text)
    if text.isascii() and text.isprintable():
        return text
    return "".join(character if is_printable(character) else _escaped(character) for character in text)


def several_lines(text: str) -> str:
    """The same, but for line ends and tabs, which stay."""
    text = without_commands(text)
    if text.isascii() and text.isprintable():
        return text
    return "".join(each if each in "\n\t" or is_printable(each) else _escaped(each) for each in text)


def without_commands(text: str) -> str:
    """A text of which no line begins like a command to a CI system: `::`, `##[` or `##vso`."""
    return _COMMAND.sub(lambda found: f"{found[1]}\\x{ord(found[2]):02x}", text)


def _escaped(character: str) -> str:
    if character in _NAMED:
        return _NAMED[character]
    number = ord(character)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
