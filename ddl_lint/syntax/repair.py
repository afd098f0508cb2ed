"""Makes a broken statement readable: damaged logical lines become placeholders, and everything else keeps its place.

A placeholder has the length of what it hides and claims nothing: conditions and values become the unknown name `_`,
and a line that opens a block still opens one of the same sort, so that the code in it keeps its scope. Where no
such placeholder fits, the block goes too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import libcst as cst

from ddl_lint.source.span import Span
from ddl_lint.syntax.faults import error_offset, find_fault
from ddl_lint.syntax.limits import find_excess
from ddl_lint.syntax.lines import Line, split_lines, without_tail

_MAX_ROUNDS = 6
_MAX_TRIES = 40
_MAX_CHARACTERS = 1_000_000
"""How much text may be parsed for one repair; failing parses of this much take about half a second."""

_HEADERS = {
    "async": ("def _():",),
    "case": ("case _:",),
    "class": ("class _:",),
    "def": ("def _():",),
    "elif": ("elif _:", "if _:"),
    "else": ("else:", "if _:"),
    "except": ("except:", "if _:"),
    "finally": ("finally:", "if _:"),
    "for": ("for _ in _:",),
    "match": ("match _:",),
    "try": ("try:",),
    "while": ("while _:",),
    "with": ("with _:",),
}
_LEAVING = frozenset({"break", "continue", "raise", "return", "yield"})
_WORD = re.compile(r"@|\w*")
_LIKE_DEFINITION = re.compile(r"\w+[ \t]+\w+[ \t]*\(")
_TARGET = re.compile(r"[A-Za-z_][\w.]*(?:[ \t]*,[ \t]*[A-Za-z_][\w.]*)*(?=[ \t]*=(?!=))")
_VISIBLE = re.compile(r"[^\r\n]")


@dataclass(frozen=True, slots=True)
class Repaired:
    """A tree of the repaired text, and which ranges of it are placeholders."""

    module: cst.Module
    source: str
    damaged: tuple[Span, ...]


def repair(source: str) -> Repaired | None:
    """Repair a source that does not parse; None if that takes too much or does not work out."""
    attempts = _Attempts()
    text, damaged = source, ()
    for index, line in reversed(list(enumerate(lines := split_lines(source)))):
        if line.damage:
            text, span = next(_replacements(text, lines, index))
            damaged = (span, *damaged)
    outcome = attempts.parse(text)
    for _ in range(_MAX_ROUNDS):
        if isinstance(outcome, cst.Module):
            return Repaired(outcome, without_tail(text), tuple(sorted(damaged)))
        if outcome is None:
            return None
        best: tuple[int, str, Span, Exception] | None = None
        for candidate, span in _candidates(text, outcome, damaged):
            result = attempts.parse(candidate)
            if isinstance(result, cst.Module):
                return Repaired(result, without_tail(candidate), tuple(sorted((*damaged, span))))
            if result is None:
                return None
            reached = error_offset(candidate, result)
            if best is None or reached > best[0]:
                best = (reached, candidate, span, result)
        if best is None:
            return None
        _, text, span, outcome = best
        damaged = (*damaged, span)
    return None


@dataclass(slots=True)
class _Attempts:
    """Counts what the repair has cost."""

    tries: int = field(default=0)
    characters: int = field(default=0)

    def parse(self, text: str) -> cst.Module | Exception | None:
        """The tree or the error; None if the budget is used up or the repair uncovers what is nested too deeply."""
        self.tries += 1
        self.characters += len(text)
        if self.tries > _MAX_TRIES or (self.characters > _MAX_CHARACTERS and self.tries > 1):
            return None
        if find_excess(text) is not None:
            return None
        try:
            return cst.parse_module(without_tail(text))
        except Exception as error:  # of whatever type, it says that this text cannot be parsed
            return error


def _candidates(text: str, error: Exception, damaged: Sequence[Span]) -> Iterator[tuple[str, Span]]:
    """Texts in which one more line is replaced: the line of the fault, its neighbours, and what opened its block."""
    lines = split_lines(text)
    fault = find_fault(text, lines, error)
    places = [index for index, line in enumerate(lines) if line.code_end > line.start]
    here = max((place for place, index in enumerate(places) if lines[index].start <= fault.span.end), default=0)
    opener = here - 1
    while opener > 0 and len(lines[places[opener]].indent) > len(lines[places[here]].indent):
        opener -= 1
    for place in dict.fromkeys((here, here - 1, here + 1, opener)):
        if 0 <= place < len(places):
            for candidate, span in _replacements(text, lines, places[place]):
                if candidate != text and span not in damaged:
                    yield candidate, span


def _replacements(text: str, lines: Sequence[Line], index: int) -> Iterator[tuple[str, Span]]:
    """The text with a line replaced, in the ways that make sense for it, and the range that is replaced."""
    line = lines[index]
    stop = next((later for later in range(index + 1, len(lines)) if not _is_deeper(lines[later], line)), len(lines))
    opens_block = any(lines[later].code_end > lines[later].start for later in range(index + 1, stop))
    placeholders = _headers(text, line) if opens_block else _simple(text, lines, index)
    for placeholder in placeholders:
        if replaced := _replaced(text, Span(line.start, line.end), placeholder):
            yield replaced, Span(line.start, line.end)
    span = Span(line.start, lines[stop - 1].end)
    for placeholder in ("0", ""):
        if replaced := _replaced(text, span, placeholder):
            yield replaced, span


def _is_deeper(line: Line, header: Line) -> bool:
    return len(line.indent) > len(header.indent) or line.code_end == line.start


def _headers(text: str, line: Line) -> Sequence[str]:
    word = _word(text, line)
    if word in _HEADERS:
        return _HEADERS[word]
    return ("def _():",) if _LIKE_DEFINITION.match(text, line.start) else ("if _:",)


def _simple(text: str, lines: Sequence[Line], index: int) -> Sequence[str]:
    line = lines[index]
    word = _word(text, line)
    if word in _LEAVING:
        return (word,)
    if word == "@":
        return ("@_",)
    if index and text[lines[index - 1].start] == "@":
        return ("def _():0",)
    target = _TARGET.match(text, line.start)
    return (f"{target.group()}=_",) if target else ()


def _word(text: str, line: Line) -> str:
    match = _WORD.match(text, line.start)
    return match.group() if match else ""


def _replaced(text: str, span: Span, placeholder: str) -> str | None:
    """The text with a range blanked out and the placeholder at its start; None if it does not fit."""
    blank = _VISIBLE.sub(" ", text[span.start : span.end])
    folder = re.match(" *", blank)
    if folder is None or folder.end() < len(placeholder):
        return None
    return text[: span.start] + placeholder + blank[len(placeholder) :] + text[span.end :]
