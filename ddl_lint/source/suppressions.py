"""Comments that silence findings.

x = f()  # ddl-lint: ignore[rule-name, DDL201] reason      the logical line that the comment ends
# ddl-lint: ignore[rule-name] reason                       the next logical line, with its decorators
# ddl-lint: ignore-file[rule-name]                         the whole file, at its head
# ddl-lint: ignore[DDL201] until 2027-01-31: reason        to the end of a day
x = f()  # noqa: E501, DDL201                              the logical line; a bare `noqa` silences everything
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import NamedTuple

from ddl_lint.source.dates import today
from ddl_lint.source.document import Document
from ddl_lint.source.lexer import LogicalLine, logical_lines
from ddl_lint.source.span import Span
from ddl_lint.source.text_entries import entries, is_comment


class Scope(str, Enum):
    """What a suppression covers."""

    LINE = "line"
    NEXT_LINE = "next-line"
    FILE = "file"


class NamedRule(NamedTuple):
    """A rule's name or code as it is written, and where."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Suppression:
    """A comment that silences `rules` on the lines from `start_line` to `end_line` (from 1, both included).

    No rules means a bare `noqa`: it silences everything and is never reported as unused.
    """

    span: Span
    rules: tuple[NamedRule, ...]
    scope: Scope
    reason: str
    start_line: int
    end_line: int
    until: str = ""
    """The last day on which it silences anything, such as `2027-01-31`; empty where it has none."""


@dataclass(frozen=True, slots=True)
class MalformedSuppression:
    """A comment that is meant to silence something and does not; `message` says how to write it."""

    span: Span
    message: str


class Suppressions(NamedTuple):
    """All suppression comments of a document, in the order of the text."""

    valid: tuple[Suppression, ...] = ()
    malformed: tuple[MalformedSuppression, ...] = ()


_MENTIONED = re.compile(r"#\s*(?:ddl-lint|noqa)[^\r\n]*", re.IGNORECASE)  # begins with what is looked for fast
_DIRECTIVE = re.compile(
    r"#\s*ddl-lint\s*:\s*(?P<verb>[\w-]*)\s*(?P<open>\[(?P<names>[^\]#]*)(?P<close>\])?)?(?P<reason>[^#]*)"
)
_NOQA = re.compile(r"#\s*noqa(?![\w-])(?:\s*:\s*(?P<codes>[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*))?", re.IGNORECASE)
_NAME = re.compile(r"[^\s,](?:[^,]*[^\s,])?")
_GOOD_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_AROUND_REASONS = " \t-:"
_UNTIL = re.compile(r"until[ \t]+(?P<day>[0-9][0-9/.-]*)(?![\w])")
_OUR_CODE = re.compile(r"DDL[0-9]+", re.IGNORECASE)


def expiry(suppressions: Suppressions) -> str:
    """The first day, from today on, after which the comments of a file may silence less; empty where there is none."""
    days = [comment.until for comment in suppressions.valid if comment.until]
    return min((day for day in days if day >= today()), default="")


def find_suppressions(document: Document) -> Suppressions:
    """All suppression comments of a document. Text inside strings is no comment."""
    if not any(_read_comment(document.text, Span(*mention.span())) for mention in _MENTIONED.finditer(document.text)):
        return Suppressions()  # most of what silences others silences none of our rules
    if document.kind == "text":
        return _find_in_text(document)
    lines = list(logical_lines(document.text))
    head_end = _head_end(lines, len(document.text))
    valid: list[Suppression] = []
    malformed: list[MalformedSuppression] = []
    for place, line in enumerate(lines):
        for comment in line.comments:
            for found in _read_comment(document.text, comment):
                if isinstance(found, _Directive):
                    found = _cover(document, lines, place, found, head_end)
                if isinstance(found, Suppression):
                    valid.append(found)
                else:
                    malformed.append(found)
    return Suppressions(tuple(valid), tuple(malformed))


_COMMENT = re.compile(r"(?:^|(?<=\s))#.*")


def _find_in_text(document: Document) -> Suppressions:
    """The same for a file that is not Python, such as a shell script.

    A comment alone on its line is about the next entry (see `text_entries`), any other about its own line.
    """
    lines = [document.line_text(number) for number in range(1, document.line_count + 1)]
    head = next((index for index, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")), 0)
    ends = {entry.first: entry.last for entry in entries(document)}
    valid: list[Suppression] = []
    malformed: list[MalformedSuppression] = []
    for index, line in enumerate(lines):
        comment = _COMMENT.search(line)
        if comment is None or not _MENTIONED.search(line):
            continue
        start = document.offset(index + 1, 1)
        for found in _read_comment(document.text, Span(start + comment.start(), start + len(line))):
            if isinstance(found, MalformedSuppression):
                malformed.append(found)
                continue
            scope, first = Scope.LINE, index + 1
            if found.whole_file:
                if index > head or line[: comment.start()].strip():
                    message = "ignore-file must be on a line of its own at the top of the file"
                    malformed.append(MalformedSuppression(found.span, message))
                    continue
                valid.append(Suppression(found.span, found.rules, Scope.FILE, found.reason, 1, len(lines), found.until))
                continue
            if is_comment(line) and found.rules:
                scope = Scope.NEXT_LINE
                later = (at for at in range(index + 2, len(lines) + 1) if not is_comment(lines[at - 1]))
                first = next(later, first)
            valid.append(
                Suppression(found.span, found.rules, scope, found.reason, first, ends.get(first, first), found.until)
            )
    return Suppressions(tuple(valid), tuple(malformed))


@dataclass(frozen=True, slots=True)
class _Directive:
    """A well-formed comment before it is known what it covers."""

    span: Span
    rules: tuple[NamedRule, ...]
    reason: str = ""
    whole_file: bool = False
    until: str = ""


def _read_comment(text: str, comment: Span) -> list[_Directive | MalformedSuppression]:
    found: list[_Directive | MalformedSuppression] = []
    for match in _DIRECTIVE.finditer(text, comment.start, comment.end):
        found.append(_read_directive(match))
    for match in _NOQA.finditer(text, comment.start, comment.end):
        span = Span(*match.span())
        if match["codes"] is None:
            found.append(_Directive(span, ()))
            continue
        ours = _OUR_CODE.finditer(text, *match.span("codes"))
        if rules := tuple(NamedRule(code.group().upper(), Span(*code.span())) for code in ours):
            found.append(_Directive(span, rules))
    return found


def _read_directive(match: re.Match[str]) -> _Directive | MalformedSuppression:
    start = match.start()
    span = Span(start, start + len(match.group().rstrip()))
    verb = match["verb"]
    if verb not in ("ignore", "ignore-file"):
        return MalformedSuppression(
            span, f"'{verb}' is not known here; write ignore[rule-name] or ignore-file[rule-name]"
        )
    if match["open"] is None:
        return MalformedSuppression(span, f"name the rules to ignore: {verb}[rule-name]")
    if match["close"] is None:
        return MalformedSuppression(span, f"the bracket is not closed: {verb}[rule-name]")
    rules: list[NamedRule] = []
    for name in _NAME.finditer(match.string, *match.span("names")):
        if not _GOOD_NAME.fullmatch(name.group()):
            return MalformedSuppression(Span(*name.span()), f"'{name.group()}' is not a rule's name or code")
        rules.append(NamedRule(name.group(), Span(*name.span())))
    if not rules:
        return MalformedSuppression(span, f"the brackets are empty; name the rules to ignore: {verb}[rule-name]")
    reason, until = match["reason"].strip(_AROUND_REASONS), ""
    if dated := _UNTIL.match(reason):
        until, reason = dated["day"], reason[dated.end() :].strip(_AROUND_REASONS)
        if not _is_day(until):
            return MalformedSuppression(span, f"`{until}` is no day; write: {verb}[rule-name] until 2027-01-31: reason")
    return _Directive(span, tuple(rules), reason, verb == "ignore-file", until)


def _is_day(word: str) -> bool:
    try:
        return date.fromisoformat(word).isoformat() == word
    except ValueError:
        return False


def _head_end(lines: Sequence[LogicalLine], end: int) -> int:
    """Where the first code that is not the docstring begins."""
    code = [line for line in lines if line.has_code]
    if code and code[0].is_string:
        del code[0]
    return code[0].start if code else end


def _cover(
    document: Document, lines: Sequence[LogicalLine], place: int, directive: _Directive, head_end: int
) -> Suppression | MalformedSuppression:
    line = lines[place]
    if directive.whole_file:
        if line.has_code or directive.span.start > head_end:
            message = "ignore-file must be on a line of its own at the top of the file, before any code"
            return MalformedSuppression(directive.span, message)
        return Suppression(
            directive.span, directive.rules, Scope.FILE, directive.reason, 1, document.line_count, directive.until
        )
    first = last = line
    scope = Scope.LINE
    if not line.has_code and directive.rules:
        scope = Scope.NEXT_LINE
        following = [later for later in _upto_statement(document.text, lines, place + 1) if later.has_code]
        first, last = (following[0], following[-1]) if following else (line, line)
    start_line = document.position(first.start)[0]
    end_line = document.position(last.end)[0]
    return Suppression(directive.span, directive.rules, scope, directive.reason, start_line, end_line, directive.until)


def _upto_statement(text: str, lines: Sequence[LogicalLine], place: int) -> Sequence[LogicalLine]:
    """The lines from `place` up to the first one with code; decorators are followed by their definition."""
    for later in range(place, len(lines)):
        if lines[later].has_code and text[lines[later].start] != "@":
            return lines[place : later + 1]
    return lines[place:]
