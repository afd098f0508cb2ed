"""Reads the INI files of setuptools and git, leniently.

Python's own parser takes time with the square of a run of blanks, and of the number of lines that it cannot read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_OPTION = re.compile(r"([^=:]*)[=:]?(.*)", re.DOTALL)


def read_ini(text: str) -> Mapping[str, Mapping[str, str]]:
    """Section -> option, in lower case -> value. What is indented below an option goes on with its value."""
    sections: dict[str, dict[str, list[str]]] = {}
    options: dict[str, list[str]] = {}
    value: list[str] = []
    indent: int | None = None  # of the option whose value may go on
    for line in text.splitlines():
        content = line.strip()
        if content.startswith(("#", ";")):
            continue
        if not content:
            value.append("")
            continue
        depth = len(line) - len(line.lstrip())
        if indent is not None and depth > indent:
            value.append(content)
        elif content.startswith("[") and content.endswith("]"):
            options = sections.setdefault(content[1:-1], {})
            value, indent = [], None
        else:
            found = _OPTION.match(content)
            name, first = found.groups() if found else (content, "")
            value = options[name.strip().lower()] = [first.strip()]
            indent = depth
    return {
        section: {name: "\n".join(lines).rstrip() for name, lines in options.items()}
        for section, options in sections.items()
    }
