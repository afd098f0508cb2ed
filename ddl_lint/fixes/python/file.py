"""A file that a fix edits: its text, its program, and the habits of its author."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from ddl_lint.fixes.lines import Lines
from ddl_lint.fixes.python.names import Names
from ddl_lint.fixes.python.tree import blocks_of, node_at, path_to
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from ddl_lint.source import Location, Span
from ddl_lint.source.lexer import Kind, scan

_Node = TypeVar("_Node", bound=code.Node)


@dataclass(frozen=True)
class File(Lines):
    """A document and its program. Offsets are those of `Document.text`."""

    module: code.Module

    @cached_property
    def indent(self) -> str:
        """One level of indentation: a tab or some blanks, as the file's blocks mostly have it."""
        steps: Counter[str] = Counter()
        waiting: list[code.Statement] = list(self.module.body)
        while waiting and steps.total() < 200:
            node = waiting.pop(0)
            for block in blocks_of(node):
                waiting.extend(block)
                if block and self.begins_line(block[0].start) and self.begins_line(node.start):
                    inner, outer = self.indent_at(block[0].start), self.indent_at(node.start)
                    if inner.startswith(outer) and inner != outer:
                        steps[inner[len(outer) :]] += 1
        return max(steps, key=lambda step: steps[step], default="    ")

    @cached_property
    def quote(self) -> str:
        """The quotation mark that the file uses for most of its short strings."""
        counts = Counter(
            self.text[token.start] for token in scan(self.text) if token.kind is Kind.STRING and token.end > token.start
        )
        return "'" if counts["'"] > counts['"'] else '"'

    @cached_property
    def _continued(self) -> list[Span]:
        """The strings that go over several lines."""
        return [
            Span(token.start, token.end)
            for token in scan(self.text)
            if token.kind is Kind.STRING and "\n" in self.text[token.start : token.end].replace("\r", "\n")
        ]

    def names(self, body: Sequence[code.Statement]) -> Names:
        """What one of its scopes does with names, by the body of that."""
        return self._names.setdefault(id(body), Names(body))

    @cached_property
    def _names(self) -> dict[int, Names]:
        return {}

    def string(self, value: str) -> str:
        """A string literal of a plain word, in the file's quotation marks."""
        return f"{self.quote}{value}{self.quote}"

    def source(self, node: code.Node) -> str:
        """The text of a node."""
        return self.text[node.start : node.end]

    # --- nodes ------------------------------------------------------------------------------------------------

    def node(self, span: Span | Location, kind: type[_Node]) -> _Node:
        """The node of a kind at exactly this range.

        Raises:
            Unfixable: there is none, as for a call that the analysis has made up.
        """
        found = node_at(self.module, Span(*span[-2:]), kind)
        if found is None:
            raise Unfixable("what is to be changed is not written out here")
        return found

    def around(self, span: Span | Location, *kinds: type[_Node]) -> _Node | None:
        """The innermost node of some kinds that covers a range."""
        path = path_to(self.module, Span(*span[-2:]))
        return next((node for node in reversed(path) if isinstance(node, kinds)), None)

    def place(self, span: Span | Location) -> Place:
        """The innermost statement around a range.

        Raises:
            Unfixable: there is no statement, as in text that cannot be parsed.
        """
        path = [self.module, *path_to(self.module, Span(*span[-2:]))]
        found: Place | None = None
        for position, node in enumerate(path):
            for owner in path[:position]:
                for block in blocks_of(owner):
                    index = _index(block, node)
                    if index is not None:
                        owners = tuple(outer for outer in path[:position] if outer is not self.module)
                        found = Place(self, block, index, owners)
        if found is None:
            raise Unfixable("this is no part of a statement that can be read")
        return found

    # --- lines ------------------------------------------------------------------------------------------------

    def ends_line(self, offset: int) -> bool:
        """Whether only blanks or a comment follow an offset in its line."""
        rest = self.text[offset : self.line_end(offset)].lstrip()
        return not rest or rest.startswith("#")

    def in_string(self, offset: int) -> bool:
        """Whether an offset is inside a string that goes over several lines."""
        return any(span.start < offset < span.end for span in self._continued)


@dataclass(frozen=True)
class Place:
    """A statement, the block that holds it, and the compound nodes around it, outermost first."""

    file: File
    block: Sequence[code.Statement]
    index: int
    owners: tuple[object, ...]

    @property
    def statement(self) -> code.Statement:
        """The statement itself."""
        return self.block[self.index]

    @property
    def start(self) -> int:
        """Where the statement begins, with its decorators."""
        statement = self.statement
        if isinstance(statement, (code.Function, code.Class)) and statement.decorators:
            # The `@` comes before the expression that is the decorator.
            first = min(decorator.start for decorator in statement.decorators)
            return min(statement.start, self.file.line_start(first) + len(self.file.indent_at(first)))
        return statement.start

    @property
    def end(self) -> int:
        """Where the statement ends."""
        return self.statement.end

    @property
    def has_own_lines(self) -> bool:
        """Whether nothing else is on the lines of the statement."""
        return self.file.begins_line(self.start) and self.file.ends_line(self.end)

    @property
    def is_elif(self) -> bool:
        """Whether the statement is the `elif` of another one."""
        return isinstance(self.statement, code.If) and self.file.text.startswith("elif", self.statement.start)

    @property
    def function(self) -> code.Function | None:
        """The innermost function around the statement."""
        return next((node for node in reversed(self.owners) if isinstance(node, code.Function)), None)

    def outer(self, *kinds: type[object]) -> Place | None:
        """The place of the innermost statement of some kinds around this one, within the same function."""
        for node in reversed(self.owners):
            if isinstance(node, kinds):
                start, end = getattr(node, "start", None), getattr(node, "end", None)
                return self.file.place(Span(start, end)) if isinstance(start, int) and isinstance(end, int) else None
            if isinstance(node, (code.Function, code.Class)):
                return None
        return None


def _index(block: Sequence[code.Statement], node: object) -> int | None:
    """Where a statement is in a block; None if it is not."""
    start = getattr(node, "start", None)
    if start is None:
        return None
    index = bisect_left(block, start, key=lambda statement: statement.start)
    return index if index < len(block) and block[index] is node else None
