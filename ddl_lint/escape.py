"""Text of the checked project as text of ours: nothing in it acts on a terminal, turns the reading direction or is a
command to the CI system whose log it may end in.

What runners take for a command, by their own code and documents: GitHub's `::word` at the start of a line, after
blanks, and `##[word` anywhere in one; Azure's `##vso[` and TeamCity's `##teamcity[` anywhere in one. Sections of GitLab
need control characters.
"""

from __future__ import annotations

import re
import unicodedata

_JOINERS = "\u200c\u200d"
_BEGINS = re.compile(rf"^((?:(?!\n)[\s{_JOINERS}])*):(?=:)", re.MULTILINE)
_ANYWHERE = re.compile(r"#(?=#(?:vso|teamcity)?\[)")
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def is_printable(character: str) -> bool:
    """Whether a character only shows something, on the line that it is in."""
    category = unicodedata.category(character)
    return (not category.startswith("C") and category not in ("Zl", "Zp")) or character in _JOINERS


def one_line(text: str) -> str:
    r"""A text on one line: what acts on a terminal is written as in Python, such as `\n`, `\x1b` and `\u202e`; and the
    first sign of what may be a command to a CI system, because the text may begin a line.
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
    """A text without commands to a CI system: their first sign is written as in Python."""
    return _ANYWHERE.sub(r"\\x23", _BEGINS.sub(r"\1\\x3a", text))


def same_width(text: str) -> str:
    """The same for code above underlining: what is in the middle of a line, each sign in a place of its own."""
    return _ANYWHERE.sub("\N{REPLACEMENT CHARACTER}", text)


def harmless_json(text: str) -> str:
    """JSON without commands to a CI system; programs read the same in it."""
    return text.replace("##", r"#\u0023")


def harmless_markup(text: str) -> str:
    """The same for HTML, SVG and XML."""
    return _ANYWHERE.sub("&#35;", text)


def _escaped(character: str) -> str:
    if character in _NAMED:
        return _NAMED[character]
    number = ord(character)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
