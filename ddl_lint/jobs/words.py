"""Commands as a shell takes them: words of which parts may not be known, and the environment around them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from ddl_lint.source.span import Location


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a word."""

    text: str | None
    """What it means; None where that is not known before the command runs."""

    source: str
    """As it is written."""

    location: Location
    """Where it is written, which for what comes out of a variable is where that is set."""

    is_default: bool = False
    """Whether it is what the command takes where a variable is not set."""

    is_from_outside: bool = False
    """Whether the shell around the one that reads it has computed it, once for all that it starts."""


@dataclass(frozen=True, slots=True)
class Word:
    """One argument of a command, or the value of a variable."""

    parts: tuple[Part, ...]
    location: Location
    """Where it is written; of several pieces that come from several places, where it is used."""

    may_split: bool = False
    """Whether it may turn out to be several words, or none."""

    quote: str = ""
    """`'` where all of it is in such quotes, so that another shell may read it."""

    @property
    def value(self) -> str | None:
        """The whole word, where all of it is known."""
        if any(part.text is None for part in self.parts):
            return None
        return "".join(part.text or "" for part in self.parts)

    @property
    def is_default(self) -> bool:
        """Whether whoever starts the command may set a variable, and change the word by it."""
        return any(part.is_default for part in self.parts)

    @property
    def head(self) -> str:
        """What is known of its beginning."""
        known: list[str] = []
        for part in self.parts:
            if part.text is None:
                break
            known.append(part.text)
        return "".join(known)

    @property
    def source(self) -> str:
        """As it is written, without quotes."""
        return "".join(part.source if part.text is None else part.text for part in self.parts)

    @property
    def pattern(self) -> str:
        """What is known of it, with `$` for each piece that is not."""
        return "".join("$" if part.text is None else part.text for part in self.parts)

    @property
    def is_open(self) -> bool:
        """Whether nothing is known of how it begins."""
        return self.may_split or (bool(self.parts) and self.parts[0].text is None)

    def after(self, prefix: str) -> Word:
        """What follows a known beginning, such as the value of `--option=value`."""
        left = len(prefix)
        kept: list[Part] = []
        for part in self.parts:
            if left and part.text is not None:
                cut = min(left, len(part.text))
                left -= cut
                start = part.location.start + cut if len(part.source) == len(part.text) else part.location.start
                place = Location(part.location.path, min(start, part.location.end), part.location.end)
                part = replace(part, text=part.text[cut:], source=part.source[cut:], location=place)
                if not part.text:
                    continue
            kept.append(part)
        return Word(tuple(kept), around(kept, self.location), self.may_split)


Value = Word | tuple[Word, ...]
"""What a variable holds: a text, or the words of an array."""

NO_WORDS: Mapping[str, Word] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Command:
    """A simple command with what it is run in."""

    words: tuple[Word, ...]
    location: Location
    prefix: Mapping[str, Word] = field(default_factory=lambda: NO_WORDS)
    """Variables that are set for this command only."""

    exported: Mapping[str, Word] = field(default_factory=lambda: NO_WORDS)
    """Variables that the shell hands to all its commands, as far as the script sets them."""

    in_background: bool = False
    arms: tuple[int, ...] = ()
    """The branches, loops and functions of the script in which it is, from outside, each by a number."""

    is_repeated: bool = False
    """Whether it is in a loop."""

    per_task: Command | None = None
    """The command that has started the shell in which this one is run, if it is not the script's own."""

    @property
    def name(self) -> str:
        """Its first word, without folders; empty if that is not known."""
        return (self.words[0].value or "").rpartition("/")[2] if self.words else ""

    def environment(self, name: str) -> Word | None:
        """What a variable of the environment holds for it, as far as the script sets it."""
        return self.prefix.get(name) or self.exported.get(name)


def around(parts: Sequence[Part], otherwise: Location) -> Location:
    """The place of pieces that are side by side; `otherwise` for those that are not."""
    if not parts:
        return otherwise
    first, last = parts[0].location, parts[-1].location
    together = first.path == last.path and first.start <= last.end
    inside = all(part.location.path == first.path for part in parts)
    if together and inside and last.end - first.start <= 4 * sum(len(part.source) + 2 for part in parts):
        return Location(first.path, first.start, last.end)
    return otherwise


_BLANKS = re.compile(r"(\s+)")


def split(word: Word) -> Iterator[Word]:
    """The words that a shell makes of a variable without quotes."""
    pieces: list[Part] = []
    for part in word.parts:
        if part.text is None:
            pieces.append(part)
            continue
        offset = part.location.start
        exact = len(part.source) == len(part.text) == part.location.end - offset
        for piece in _BLANKS.split(part.text):
            if not piece:
                continue
            place = Location(part.location.path, offset, offset + len(piece)) if exact else part.location
            offset += len(piece) if exact else 0
            if piece.isspace():
                if pieces:
                    yield _word(pieces, word)
                pieces = []
            else:
                pieces.append(Part(piece, piece, place, part.is_default))
    if pieces:
        yield _word(pieces, word)


def _word(parts: Iterable[Part], of: Word) -> Word:
    kept = tuple(parts)
    return Word(kept, around(kept, of.location), may_split=len(kept) == 1 and kept[0].text is None)
