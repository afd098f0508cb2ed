"""Puts statements into the scope of a strategy."""

from __future__ import annotations

from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Edit
from ddl_lint.fixes.python.file import Place
from ddl_lint.fixes.python.layout import comment_start, lines_of, reindented
from ddl_lint.fixes.python.scope import names_bound, names_read
from ddl_lint.fixes.python.statements import wrap
from ddl_lint.fixes.runs.names import name_at
from ddl_lint.fixes.runs.project import file_of, render_idiom
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from ddl_lint.program.trace import Event
from ddl_lint.source.span import Location, Span


def put_into_scope(run: RunView, strategy: Event, first: Place, last: Place | None = None) -> tuple[Edit, ...]:
    """A statement, or a stretch of statements of one block, in `with strategy.scope():`.

    Raises:
        Unfixable: the strategy has no name there, or the layout forbids it.
    """
    name = name_at(run, strategy, first)
    said = render_idiom(run, first, strategy.api, "scope", strategy=name)
    return (*said.imports, *wrap(first, f"with {said.text}:", last))


def move_into_scope(run: RunView, place: Location, use: Event) -> tuple[Edit, ...]:
    """A statement at the head of the later `with` of its block in which what it makes is used.

    Raises:
        Unfixable: there is none, or a statement between the two depends on the order.
    """
    file = file_of(run, place)
    moved = file.place(place)
    if use.location.path != place.path:
        raise Unfixable("it is used in another file")
    scope = file.place(use.location).outer(code.With) or file.place(use.location)
    if scope.block is not moved.block or not isinstance(scope.statement, code.With) or scope.index <= moved.index:
        raise Unfixable("the scope in which it is used is in another block")
    passed = moved.block[moved.index + 1 : scope.index]
    bound, read = names_bound(moved.statement), names_read(moved.statement)
    if bound & (names_read(*passed) | names_bound(*passed)) or read & names_bound(*passed):
        raise Unfixable("a statement between the two depends on the order")
    head = scope.statement.body[0]
    target = file.place(Span(head.start, head.end))
    if not file.begins_line(target.start):
        raise Unfixable("the scope and what is in it are on one line")
    span = lines_of(moved)
    lines = reindented(file, span, file.indent_at(moved.start), file.indent_at(target.start))
    start = comment_start(target)
    return (file.edit(start, start, lines), file.edit(span.start, span.end, ""))
