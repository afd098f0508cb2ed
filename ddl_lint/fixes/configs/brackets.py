"""Entries between brackets, of JSON or YAML: added and taken out in the style of their neighbours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from ddl_lint.finding import Edit
from ddl_lint.fixes.build import Unfixable
from ddl_lint.fixes.lines import Lines
from ddl_lint.source.nodes import Mapping
from ddl_lint.source.span import Span


@dataclass(frozen=True)
class Flow(Lines):
    """A text with its comments."""

    comments: tuple[Span, ...]

    @cached_property
    def _ends(self) -> dict[int, int]:
        """Where the comment ends that begins at an offset."""
        return {comment.start: comment.end for comment in self.comments}

    def comments_in(self, start: int, end: int) -> list[Span]:
        """The comments inside of a range."""
        return [comment for comment in self.comments if start <= comment.start and comment.end <= end]

    def skip(self, offset: int) -> int:
        """The next code from an offset on, past blanks, line ends and comments."""
        while offset < len(self.text):
            if offset in self._ends:
                offset = self._ends[offset]
            elif self.text[offset].isspace():
                offset += 1
            else:
                break
        return offset

    def remarks_end(self, offset: int) -> int:
        """Where the comments end that follow an offset in its line; the offset itself where there are none."""
        found = offset
        while (start := self.blanks_end(found)) in self._ends:
            found = self._ends[start]
        return found

    def is_alone(self, start: int, end: int) -> bool:
        """Whether nothing else is on the lines of a range."""
        return self.begins_line(start) and self.blanks_end(end) == self.line_end(end)


def add_member(
    flow: Flow, mapping: Mapping, step: str, member: Callable[[str | None], str], is_wide: bool
) -> list[Edit]:
    """A member after all others.

    Args:
        flow: the text.
        mapping: a mapping in brackets.
        step: one level of indentation.
        member: writes the member for the indentation of its line, or for None on one line.
        is_wide: whether an empty mapping gets lines of its own.
    """
    opening, closing = mapping.span.start, mapping.span.end - 1
    if not mapping.members:
        inside = flow.comments_in(opening + 1, closing)
        if not inside and not is_wide:
            return [flow.edit(opening + 1, closing, member(None))]
        start = inside[-1].end if inside else opening + 1
        outer = flow.indent_at(opening)
        indent = outer + step
        return [flow.edit(start, closing, f"{flow.newline}{indent}{member(indent)}{flow.newline}{outer}")]
    last = mapping.members[-1]
    tail = last.value.span.end
    comma = flow.skip(tail)
    has_comma = flow.text[comma] == ","
    if has_comma:
        tail = comma + 1
    if not flow.begins_line(last.key.span.start):
        # No blank before the last key, or after its colon, means that none is wanted here.
        if len(mapping.members) > 1:
            before = flow.text[flow.skip(mapping.members[-2].value.span.end) + 1 : last.key.span.start]
        else:
            before = flow.text[last.key.span.end : last.value.span.start].removeprefix(":")
        gap = "" if not before else " "
        new = f"{gap}{member(None)}"
        return [flow.edit(tail, tail, f"{new}," if has_comma else f",{new}")]
    indent = flow.indent_at(last.key.span.start)
    line = f"{flow.newline}{indent}{member(indent)}"
    behind = flow.remarks_end(tail)
    if has_comma:
        return [flow.edit(behind, behind, f"{line},")]
    if behind == tail:
        return [flow.edit(tail, tail, f",{line}")]
    return [flow.edit(tail, tail, ","), flow.edit(behind, behind, line)]


def remove_member(flow: Flow, mapping: Mapping, index: int) -> list[Edit]:
    """A member away, with its comma and, where it is alone on its lines, with them."""
    member = mapping.members[index]
    start, end = member.key.span.start, member.value.span.end
    opening, closing = mapping.span.start, mapping.span.end - 1
    if len(mapping.members) == 1 and not flow.comments_in(opening, closing):
        return [flow.edit(opening + 1, closing, "")]
    comma = flow.skip(end)
    if flow.text[comma] == ",":
        if flow.comments_in(end, comma):
            return [flow.edit(start, end, ""), flow.edit(comma, comma + 1, "")]
        return [_with_blanks(flow, start, comma + 1)]
    if index == 0:
        return [_with_blanks(flow, start, end)]
    # The last one, so the comma before it goes.
    comma = flow.skip(mapping.members[index - 1].value.span.end)
    if flow.text[comma] != ",":
        raise Unfixable("the commas are written in a form that cannot be edited")
    if flow.comments_in(comma, start) or (flow.begins_line(start) and flow.remarks_end(end) != end):
        return [flow.edit(comma, comma + 1, ""), _with_blanks(flow, start, end)]
    return [flow.edit(comma, end, "")]


def _with_blanks(flow: Flow, start: int, end: int) -> Edit:
    """A range away, with its lines or with the blanks on one side of it."""
    if flow.is_alone(start, end):
        return flow.edit(flow.line_start(start), flow.next_line(end), "")
    following = flow.blanks_end(end)
    if following == flow.line_end(end):
        # The line keeps what comes before: no blanks at its end.
        head = flow.text[flow.line_start(start) : start]
        return flow.edit(start - (len(head) - len(head.rstrip())), end, "")
    return flow.edit(start, following, "")
