"""Reads shell scripts line by line, for installations that lack the grammar of the shell.

It knows commands, their words, and variables that are set in a line of their own. Branches, loops, functions and arrays
it does not follow: it tells less than `shell.py`, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ddl_lint.jobs.excerpt import Excerpt
from ddl_lint.jobs.words import NO_WORDS, Command, Part, Word
from ddl_lint.source.span import Location

_MOST_COMMANDS = 2_000

_TOKEN = re.compile(
    r"""(?P<blank>(?:[ \t\r]|\\\r?\n)+)
    |(?P<comment>\#[^\n]*)
    |(?P<end>\n|;;?|&&|\|\|?|&|[(){}])
    |(?P<word>(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|\$\([^)]*\)|\$\{[^}]*\}|`[^`]*`|[^\s'"\\;&|(){}`])+)
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_ASSIGNED = re.compile(r"(?P<name>[A-Za-z_]\w*)=")
_DYNAMIC = re.compile(r"[$`*?]|^~")


def plain_commands(excerpt: Excerpt, exported: Mapping[str, Word]) -> Iterator[Command]:
    """The commands of a shell text, in its order.

    Args:
        excerpt: The text.
        exported: Variables that its environment has.
    """
    reader = _Reader(excerpt, dict(exported))
    for count, command in enumerate(reader.commands()):
        if count >= _MOST_COMMANDS:
            return
        yield command


class _Reader:
    def __init__(self, excerpt: Excerpt, exported: dict[str, Word]) -> None:
        self.excerpt = excerpt
        self.values = dict(exported)
        self.exported = exported

    def commands(self) -> Iterator[Command]:
        words: list[Word] = []
        for token in _TOKEN.finditer(self.excerpt.text):
            if token.lastgroup == "word":
                words.append(self._word(token.group(), token.start()))
            elif token.lastgroup in ("end", "comment") and words:
                yield from self._command(words, in_background=token.group() == "&")
                words = []
        yield from self._command(words)

    def _command(self, words: list[Word], *, in_background: bool = False) -> Iterator[Command]:
        is_exported = bool(words) and words[0].value == "export"
        prefix: dict[str, Word] = {}
        rest = words[1:] if is_exported else words
        while rest and (assigned := _ASSIGNED.match(rest[0].head)) is not None:
            prefix[assigned["name"]] = rest[0].after(assigned.group())
            rest = rest[1:]
        if is_exported or not rest:
            self.values |= prefix
            self.exported |= prefix if is_exported else {}
            return
        place = Location(self.excerpt.path, rest[0].location.start, rest[-1].location.end)
        yield Command(tuple(rest), place, prefix or NO_WORDS, dict(self.exported) or NO_WORDS, in_background)

    def _word(self, written: str, start: int) -> Word:
        place = self.excerpt.place(start, start + len(written))
        bare = re.fullmatch(r"\"?\$\{?(\w+)\}?\"?", written)
        if bare is not None:
            known = self.values.get(bare[1])
            unknown = Word((Part(None, written, place),), place, may_split=not written.startswith('"'))
            return Word(known.parts, place) if known is not None and known.value is not None else unknown
        if written.startswith("'") and written.endswith("'"):
            return Word((Part(written[1:-1], written[1:-1], place),), place, quote="'")
        text = written.replace('"', "").replace("'", "").replace("\\\n", "")
        parts = [
            self._part(piece, self.excerpt.place(start, start + len(written)))
            for piece in re.split(r"(\$\{\w+\}|\$\w+|\$\([^)]*\)|`[^`]*`)", text)
            if piece
        ]
        return Word(tuple(parts), place)

    def _part(self, piece: str, place: Location) -> Part:
        named = re.fullmatch(r"\$\{?(\w+)\}?", piece)
        known = self.values.get(named[1]) if named is not None else None
        if known is not None and known.value is not None:
            return Part(known.value, piece, place)
        return Part(None if _DYNAMIC.search(piece) else piece, piece, place)
