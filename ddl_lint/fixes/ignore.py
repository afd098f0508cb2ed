"""Suppression comments: put in, extended, and taken away again."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from ddl_lint.finding import Applicability, Edit, Fix
from ddl_lint.source import Document, Location
from ddl_lint.source.lexer import LogicalLine, logical_lines
from ddl_lint.source.span import Span
from ddl_lint.source.suppressions import Scope, Suppression, find_suppressions
from ddl_lint.source.text_entries import Entry, entries

_MAX_WIDTH = 120
"""Where a comment would make a line longer, it is written on a line of its own above."""

_SEPARATOR = re.compile(r"[,\s]*")
_FIRST_LINES = re.compile(r"#!|[ \t\f]*#.*?coding[:=]")
"""What only counts in the first two lines of a file: which program runs it, and its encoding."""


def ignoring(document: Document, found: Iterable[tuple[int, str]]) -> list[Edit]:
    """Comments that silence what is found in a document, one for each logical line; none where no comment can be.

    Args:
        document: The file.
        found: Where each finding starts, and the name of its rule.
    """
    comments = [each for each in find_suppressions(document).valid if each.scope is not Scope.FILE and each.rules]
    if document.kind == "text":
        return _ignoring_entries(document, found, comments)
    wanted: dict[LogicalLine, list[str]] = defaultdict(list)
    lines = [line for line in logical_lines(document.text) if line.has_code]
    for start, name in found:
        line = next((line for line in lines if line.start <= start < line.end), None)
        if line is not None and name not in wanted[line]:
            wanted[line].append(name)
    return [_ignoring(document, line, names, comments) for line, names in wanted.items()]


def ignoring_everywhere(document: Document, names: Sequence[str]) -> list[Edit]:
    """A comment at the head of a file that silences rules in all of it; nothing where no comment can be."""
    if document.path.endswith(".json"):
        return []
    for comment in find_suppressions(document).valid:
        if comment.scope is Scope.FILE and comment.rules:
            return [_with_names(document, comment, names)]
    first = 1
    while first <= 2 and _FIRST_LINES.match(document.line_text(first)):
        first += 1
    start = document.offset(first, 1)
    if document.text[start : start + 2] == "%%":  # of a cell: it must remain its first line
        return []
    before = document.newline if start and document.text[start - 1] not in "\r\n" else ""
    directive = _directive(names, "ignore-file")
    return [_edit(document, start, start, f"{before}{directive}{document.newline}")]


def _ignoring_entries(
    document: Document, found: Iterable[tuple[int, str]], comments: Iterable[Suppression]
) -> list[Edit]:
    """The same for a file that is not Python. At the end of a line, a comment may become part of a value there."""
    if document.path.endswith(".json"):
        return []
    wanted: dict[Entry, list[str]] = defaultdict(list)
    known = entries(document)
    for start, name in found:
        line, _ = document.position(start)
        entry = next((entry for entry in known if entry.first <= line <= entry.last), None)
        if entry is not None and name not in wanted[entry]:
            wanted[entry].append(name)
    return [
        _extended(document, entry.first, entry.last, names, comments)
        or _above(document, entry.first, document.line_text(entry.first), names)
        for entry, names in wanted.items()
    ]


def _ignoring(document: Document, line: LogicalLine, names: Sequence[str], comments: Iterable[Suppression]) -> Edit:
    first = document.position(line.start)[0]
    extended = _extended(document, first, first, names, comments)
    if extended is not None:
        return extended
    directive = _directive(names)
    last = document.position(line.end)[0]
    if len(document.line_text(last)) + len(directive) + 2 <= _MAX_WIDTH:
        end = line.start + len(document.text[line.start : line.end].rstrip())
        return _edit(document, end, end, f"  {directive}")
    return _above(document, first, document.text[document.offset(first, 1) : line.end], names)


def _extended(
    document: Document, first: int, last: int, names: Sequence[str], comments: Iterable[Suppression]
) -> Edit | None:
    """A comment that is there already for these lines, with more names."""
    for comment in comments:
        is_ours = document.text[comment.rules[-1].span.end :].lstrip()[:1] in ("]", ",")
        if is_ours and comment.start_line <= first and last <= comment.end_line:
            return _with_names(document, comment, names)
    return None


def _with_names(document: Document, comment: Suppression, names: Sequence[str]) -> Edit:
    place = comment.rules[-1].span.end
    return _edit(document, place, place, "".join(f", {name}" for name in names))


def _above(document: Document, first: int, line: str, names: Sequence[str]) -> Edit:
    """A comment above a line, as far from the margin as that."""
    start = document.offset(first, 1)
    indent = line[: len(line) - len(line.lstrip())]
    return _edit(document, start, start, f"{indent}{_directive(names)}{document.newline}")


def _directive(names: Sequence[str], verb: str = "ignore") -> str:
    return f"# ddl-lint: {verb}[{', '.join(names)}]"


def without(document: Document, comment: Suppression, idle: Collection[Span]) -> Fix:
    """The removal of rules from a suppression comment, and of the comment if nothing would be left of it.

    Args:
        document: The file.
        comment: The comment.
        idle: Where the names of the rules are that it need not name.
    """
    text = document.text
    kept = [rule for rule in comment.rules if rule.span not in idle]
    others = _other_codes(text, comment)
    if kept or others:
        edits = tuple(_edit(document, *span, "") for span in _names_away(text, comment, idle))
        return Fix("Remove the names of the rules that find nothing here", edits, Applicability.SAFE)
    span = _comment_away(document, comment.span)
    return Fix("Remove the comment", (_edit(document, *span, ""),), Applicability.SAFE)


def _other_codes(text: str, comment: Suppression) -> bool:
    """Whether the comment also speaks to other linters: `noqa: E501, DDL201`."""
    own = text[comment.span.start : comment.span.end]
    if "noqa" not in own.lower() or "ddl-lint" in own:
        return False
    codes = re.findall(r"[A-Z]+[0-9]+", own.partition(":")[2], re.IGNORECASE)
    return len(codes) > len(comment.rules)


def _names_away(text: str, comment: Suppression, idle: Collection[Span]) -> Iterator[Span]:
    """The ranges of names with the commas that are too many without them; what follows each other is one range."""
    end = comment.span.end
    for rule in comment.rules:
        if rule.span not in idle:
            continue
        following = _SEPARATOR.match(text, rule.span.end, end)
        after = following.end() if following else rule.span.end
        is_last = text[after : after + 1] in ("]", "") or after >= end
        if not is_last:
            yield Span(rule.span.start, after)
        else:
            start = rule.span.start
            while text[start - 1] in ", \t" and start > comment.span.start:
                start -= 1
            yield Span(start, rule.span.end)


def _comment_away(document: Document, span: Span) -> Span:
    """The range of a comment with the blanks before it; with its line if nothing else is there."""
    text = document.text
    line, _ = document.position(span.start)
    start, end = document.offset(line, 1), document.offset(line, 1) + len(document.line_text(line))
    rest = text[span.end : end]
    if rest.strip():  # another comment goes on after it
        return Span(span.start, span.end + len(rest) - len(rest.lstrip()))
    before = text[start : span.start].rstrip()
    if before:
        return Span(start + len(before), end)
    return Span(start, document.offset(line + 1, 1))


def _edit(document: Document, start: int, end: int, text: str) -> Edit:
    return Edit(Location(document.path, start, end), text)
