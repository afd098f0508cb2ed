"""Reads the recipes of Makefiles as shell scripts, one for each line of a recipe."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ddl_lint.jobs.excerpt import Excerpt
from ddl_lint.jobs.words import Part, Word
from ddl_lint.source.span import Location

_SET = re.compile(r"^(?:export[ \t]+)?(\w+)[ \t]*(?::|::|\?)?=[ \t]*(.*?)[ \t]*$", re.MULTILINE)
_DOLLAR = re.compile(r"\$(?:\$|\((\w+)\)|(\w))")


def make_variables(path: str, text: str) -> dict[str, Word]:
    """The variables that are set once, to a plain text."""
    found: dict[str, Word] = {}
    several: set[str] = set()
    for match in _SET.finditer(text):
        name, value = match[1], match[2]
        if name in found:
            several.add(name)
        place = Location(path, *match.span(2))
        known = not re.search(r"[$#\\]", value)
        found[name] = Word((Part(value if known else None, value, place),), place)
    return {name: word for name, word in found.items() if name not in several}


def recipes(path: str, text: str) -> Iterator[Excerpt]:
    """The lines of the recipes, as the shell gets them; variables of make look like those of the shell."""
    at = 0
    while at < len(text):
        end = _line_end(text, at)
        if not text.startswith("\t", at):
            at = end
            continue
        while text[at:end].rstrip("\r\n").endswith("\\") and end < len(text):
            end = _line_end(text, end)
        start = at + 1
        while start < end and text[start] in "@-+ \t":
            start += 1
        yield _excerpt(path, text, start, end)
        at = end


def _excerpt(path: str, text: str, start: int, end: int) -> Excerpt:
    pieces: list[str] = []
    starts: list[tuple[int, int]] = [(0, start)]
    length = 0
    at = start
    for match in _DOLLAR.finditer(text, start, end):
        pieces.append(text[at : match.start()])
        length += match.start() - at
        if match[1]:
            shown = f"${{{match[1]}}}"
        elif match[2]:
            shown = "${" + match[2] + "}"  # `$NAME` is the variable N, and then AME
        else:
            shown = "$"
        starts.append((length, match.start()))
        pieces.append(shown)
        length += len(shown)
        at = match.end()
        starts.append((length, at))
    pieces.append(text[at:end])
    return Excerpt(path, "".join(pieces), tuple(starts))


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1
