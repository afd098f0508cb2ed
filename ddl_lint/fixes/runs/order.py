"""Changes the order of two statements: with what the later one needs, or with what needs the earlier one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ddl_lint.analysis.view import RunView
from ddl_lint.fixes.python.file import File, Place
from ddl_lint.fixes.python.scope import names_bound, names_read
from ddl_lint.fixes.python.statements import Edits, move_after, move_before
from ddl_lint.fixes.python.tree import walk
from ddl_lint.fixes.runs.call_path import CallStep, around, meeting, way
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from ddl_lint.program.trace import Event
from ddl_lint.source.span import Location, Span


def bring_forward(run: RunView, late: Event, early: Event, hidden: Iterable[str] = ()) -> Edits:
    """The statement that leads to one event before the one that leads to an earlier event, in the function they share.

    Statements between the two that make what it reads come along. `hidden` are names that it reads out of sight.

    Raises:
        Unfixable: the two do not meet in one block, or what it needs is made by the earlier statement.
    """
    late_way, early_way = way(run, late), way(run, early)
    shared = meeting(early_way, late_way)
    if shared is None:
        raise Unfixable("the two are in different processes or files")
    target, moved = _in_one_block(*shared)
    wanted = set(hidden) | names_read(moved.statement) | _read_inside(late_way[late_way.index(shared[1]) + 1 :])
    taken = [moved.index]
    block = target.block
    for index in range(moved.index - 1, target.index, -1):
        if names_bound(block[index]) & wanted or _changes(target.file, block[index], wanted):
            taken.append(index)
            wanted |= names_read(block[index])
    if names_bound(target.statement) & wanted or _changes(target.file, target.statement, wanted):
        raise Unfixable("it needs the result of an earlier statement")
    _keeps_names(block, target.index, taken)
    places = [target.file.place(Span(block[index].start, block[index].end)) for index in sorted(taken)]
    return move_before(places, target)


def put_off(run: RunView, early: Event, late: Event, sources: Iterable[Location] = ()) -> Edits:
    """Moves the statement that leads to one event after that of a later event, in the function they share.

    Assignments between the two that need what it makes come along, and so do the statements before it in which what
    it takes is read at one of `sources`.

    Raises:
        Unfixable: the two do not meet in one block, or a statement between them keeps the order.
    """
    late_way, early_way = way(run, late), way(run, early)
    shared = meeting(early_way, late_way)
    if shared is None:
        raise Unfixable("the two are in different processes or files")
    moved, target = _in_one_block(*shared)
    file, block = target.file, target.block
    chosen = {moved.index}
    for source in sources:
        if source.path == file.document.path:
            chosen |= {i for i in range(moved.index) if block[i].start <= source.start < block[i].end}
    first = min(chosen)
    remade = names_bound(target.statement)
    taken: list[int] = []
    bound: set[str] = set()
    for index in range(first, target.index):
        statement = block[index]
        if index not in chosen and not names_read(statement) & bound:
            continue
        if index > moved.index and (not isinstance(statement, code.Assign) or names_read(statement) & remade):
            raise Unfixable("a statement between the two uses both")
        taken.append(index)
        bound |= names_bound(statement)
    if names_read(target.statement) & bound or remade & bound:
        raise Unfixable("the later statement needs the result of the earlier one")
    wanted = names_read(*(block[index] for index in taken))
    passed = [block[index] for index in range(first, target.index) if index not in taken]
    if (names_bound(*passed) - remade) & wanted:
        raise Unfixable("a statement between the two uses a name that would change")
    places = [file.place(Span(block[index].start, block[index].end)) for index in taken]
    return move_after(places, target)


def _in_one_block(early: CallStep, late: CallStep) -> tuple[Place, Place]:
    """The statements around two steps of one function that are in one block, the innermost such."""
    for one in reversed(around(early.place)):
        for other in reversed(around(late.place)):
            if one.block is other.block and one.index < other.index:
                return one, other
    raise Unfixable("the two are not in one block")


def _read_inside(steps: Sequence[CallStep]) -> set[str]:
    """The attributes (`self.x`) and the module's names that functions read on the rest of the way."""
    found: set[str] = set()
    for step in steps:
        if step.function is not None:
            own = step.function.bound | {parameter.name for parameter in step.function.parameters}
            found |= {name for name in names_read(*step.function.body) if "." in name or name not in own}
    return found


def _changes(file: File, statement: code.Statement, wanted: set[str]) -> bool:
    """Whether a function of the file that a statement mentions sets an attribute that is needed."""
    attributes = {name for name in wanted if "." in name}
    if isinstance(statement, (code.Function, code.Class)):
        return False
    mentioned = {name.rpartition(".")[2] for name in names_read(statement)}
    return any(
        isinstance(node, code.Function) and node.name in mentioned and not attributes.isdisjoint(node.bound)
        for node in walk(*file.module.body)
    )


def _keeps_names(block: Sequence[code.Statement], first: int, taken: Sequence[int]) -> None:
    """Raises `Unfixable` when a statement that is passed knows another value of a name that is bound earlier now."""
    for index in taken:
        bound = names_bound(block[index])
        passed = [block[other] for other in range(first, index) if other not in taken]
        if bound & (names_bound(*passed) | names_read(*passed)):
            raise Unfixable("a statement between the two uses a name that would change")
