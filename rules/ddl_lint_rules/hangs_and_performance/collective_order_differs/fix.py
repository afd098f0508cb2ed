"""Gives all ranks one order: the calls of two arms before or after the `if`, a set in the order of its elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ddl_lint.rulekit import (
    Applicability,
    Context,
    Edit,
    File,
    Fix,
    Found,
    Location,
    Place,
    RunView,
    Span,
    TimelineStep,
    Unfixable,
    code,
    comment_start,
    file_of,
    lines_of,
    names_bound,
    names_read,
    reindented,
    timeline_of,
    walk,
)

_UNLIKE = "the ranks do not make the same calls here; cannot tell which are meant"


# --- two arms --------------------------------------------------------------------------------------------------------


def fix(run: RunView, found: Found) -> Fix:
    """Make the calls of both arms once, outside of the `if`; or in the order of the first arm, where that cannot be."""
    guard = found.divergence.guard
    if guard is None:
        raise Unfixable(_UNLIKE)
    file = file_of(run, guard.location)
    place = file.place(guard.location)
    condition = place.statement
    if not isinstance(condition, code.If) or not condition.orelse or place.is_elif:
        raise Unfixable(_UNLIKE)
    first, second = (_calls(run, file, block) for block in (condition.body, condition.orelse))
    texts = [[file.source(block[i]) for i in calls] for block, calls in _arms(condition, first, second)]
    if len(texts[0]) < 2 or sorted(texts[0]) != sorted(texts[1]):
        raise Unfixable(_UNLIKE)
    asks_for_them = _binds(*(condition.body[i] for i in first)) & names_read(condition.test)
    if asks_for_them or len(first) == len(condition.body) < len(condition.orelse):
        return _reordered(file, condition, first, second)
    for at_head in (True, False):
        if all(_is_edge(len(block), calls, at_head) for block, calls in _arms(condition, first, second)):
            return Fix(
                f"Move the calls of both branches {'before' if at_head else 'after'} the `if`",
                _merged(place, condition, first, second, at_head=at_head),
                Applicability.UNSAFE,
                "The order of the first branch is used for all ranks",
            )
    return _reordered(file, condition, first, second)


def _arms(
    condition: code.If, first: Sequence[int], second: Sequence[int]
) -> Iterator[tuple[Sequence[code.Statement], Sequence[int]]]:
    yield condition.body, first
    yield condition.orelse, second


def _calls(run: RunView, file: File, block: Sequence[code.Statement]) -> list[int]:
    """The statements of a block in which all ranks meet.

    Raises:
        Unfixable: one of them is no simple statement, or ranks may leave before it.
    """
    places = {place for step in timeline_of(run).steps for place in _made_at(step)}
    found: list[int] = []
    for index, statement in enumerate(block):
        spans = [
            each
            for each in places
            if each.path == file.document.path and statement.start <= each.start and each.end <= statement.end
        ]
        if not spans:
            continue
        if not isinstance(statement, (code.Evaluate, code.Assign)):
            raise Unfixable("the calls are nested deeper than the branches of the `if`")
        found.append(index)
    return found


def _made_at(step: TimelineStep) -> Iterator[Location]:
    """Where a call that all ranks must make is written, and the calls of functions that lead there."""
    if step.event is not None:
        yield step.location
        yield from (node.location for node in step.context.chain() if node.kind == "call")


def _is_edge(length: int, calls: Sequence[int], at_head: bool) -> bool:
    """Whether calls are all that is at the head, or at the end, of a block."""
    return list(calls) == list(range(len(calls)) if at_head else range(length - len(calls), length))


def _binds(*statements: code.Statement) -> set[str]:
    """What statements change: the names that they bind, and the arguments that calls may write to."""
    given = {
        name
        for each in walk(*statements)
        if isinstance(each, code.Call)
        for argument in (*each.args, *(keyword.value for keyword in each.keywords))
        for name in names_read(argument)
    }
    return names_bound(*statements) | given


def _merged(
    place: Place, condition: code.If, first: Sequence[int], second: Sequence[int], *, at_head: bool
) -> tuple[Edit, ...]:
    file = place.file
    outer = file.indent_at(place.start)
    moved = [file.place(Span(*_span(condition.body[i]))) for i in first]
    inner = file.indent_at(moved[0].start)
    lines = "".join(reindented(file, lines_of(each), inner, outer) for each in moved)
    rest = [len(block) > len(calls) for block, calls in _arms(condition, first, second)]
    if not any(rest):
        start, end = comment_start(place), file.next_line(place.end)
        return (file.edit(start, end, lines),)
    gone: list[Edit] = []
    for (block, calls), stays in zip(_arms(condition, first, second), rest, strict=True):
        spans = [lines_of(file.place(Span(*_span(block[i])))) for i in calls]
        if stays:
            gone.extend(file.edit(span.start, span.end, "") for span in spans)
        else:  # the other arm, without which there is no `else`
            start = file.next_line(condition.body[-1].end)
            if file.text[start : spans[0].start].strip() != "else:":
                raise Unfixable("the `else` is written in a form that cannot be edited")
            gone.append(file.edit(start, spans[-1].end, ""))
    if at_head:
        start = comment_start(place)
        return (file.edit(start, start, lines), *gone)
    end = file.next_line(place.end)
    last = gone[-1].location
    if last.end == end:  # what goes away and what comes are one edit
        return (*gone[:-1], file.edit(last.start, end, lines))
    return (*gone, file.edit(end, end, lines))


def _span(node: code.Statement) -> tuple[int, int]:
    return node.start, node.end


def _reordered(file: File, condition: code.If, first: Sequence[int], second: Sequence[int]) -> Fix:
    """The calls of the second arm in the order of the first, each where another one was."""
    block = condition.orelse
    stretch = block[second[0] : second[-1] + 1]
    for position, one in enumerate(stretch):
        for other in stretch[position + 1 :]:
            together = any(one is block[i] for i in second) and any(other is block[i] for i in second)
            depends = names_bound(one) & names_read(other) or names_bound(other) & (names_read(one) | names_bound(one))
            touches = not together and _binds(one) & (names_read(other) | _binds(other))
            if depends or touches:
                raise Unfixable("the code between the calls depends on their order")
    edits: list[Edit] = []
    for wanted, index in zip(first, second, strict=True):
        there, text = block[index], file.source(condition.body[wanted])
        if file.source(there) != text:
            edits.append(file.edit(there.start, there.end, text))
    return Fix(
        "Make the calls of both branches in the same order",
        tuple(edits),
        Applicability.UNSAFE,
        "The order of the first branch is used for all ranks",
    )


# --- sets ------------------------------------------------------------------------------------------------------------


def sort(run: RunView, loop: Context, surely_text: bool) -> Fix:
    """`for name in names:` to `for name in sorted(names):`."""
    file = file_of(run, loop.location)
    place = file.place(loop.location)
    if not isinstance(place.statement, code.For):
        raise Unfixable("the loop over the set is not a `for` statement")
    iterable: code.Expression = place.statement.iterable
    replaced: code.Expression = iterable
    while isinstance(iterable, code.Call) and isinstance(iterable.func, code.Name) and len(iterable.args) == 1:
        if iterable.func.id == "set":
            break
        if iterable.func.id not in ("enumerate", "list", "tuple") or iterable.keywords:
            raise Unfixable("the set is created elsewhere")
        replaced = iterable if iterable.func.id != "enumerate" else iterable.args[0]
        iterable = iterable.args[0]
    text = file.source(iterable)
    if isinstance(iterable, code.Comprehension) and iterable.kind == "generator":
        raise Unfixable("the set is created elsewhere")
    return Fix(
        "Loop over sorted(...)",
        (file.edit(replaced.start, replaced.end, f"sorted({text})"),),
        Applicability.SAFE if surely_text else Applicability.UNSAFE,
        "" if surely_text else "Sorting fails if the elements cannot be compared",
    )
