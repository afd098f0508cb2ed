"""Cuts what is divided to a multiple of the number of ranks, so that all shares are of one size."""

from __future__ import annotations

from collections.abc import Iterator

from ddl_lint.rulekit import (
    Applicability,
    Edit,
    Event,
    File,
    Fix,
    Place,
    RunView,
    Span,
    Unfixable,
    argument_of,
    code,
    dotted,
    file_of,
    lines_of,
    names_bound,
    names_read,
    node_at,
    replace_expression,
    walk,
)

_REASON = "Up to world_size - 1 elements are no longer used"


def fix(run: RunView, shard: Event) -> Fix:
    """`items[rank::n]` to `items[: len(items) - len(items) % n][rank::n]`; blocks are made of equal length."""
    file = file_of(run, shard.location)
    taken = node_at(file.module, Span(shard.location.start, shard.location.end), code.Subscript)
    if taken is not None and isinstance(taken.index, code.Slice):
        if shard.operands.get("count") is not None and taken.index.step is not None:
            return _cut(_cut_slice(file, taken, taken.index.step))
        return _equal_blocks(file, taken, taken.index)
    call = file.node(shard.location, code.Call)
    if not shard.api:
        return _cut(_cut_range(file, call))
    data, count = (argument_of(run, shard.api, call, role) for role in ("data", "count"))
    if data is None or count is None or isinstance(data, code.Keyword) or isinstance(count, code.Keyword):
        raise Unfixable("the data that is split is not written in the call")
    if len(call.args) + len(call.keywords) > 2:
        raise Unfixable("it may be split along another dimension than the first")
    return _cut((file.edit(data.end, data.end, _cut_of(_name(file, data), _number(file, count))),))


def _cut(edits: tuple[Edit, ...]) -> Fix:
    return Fix("Cut the data to a multiple of the world size", edits, Applicability.UNSAFE, _REASON)


def _cut_of(name: str, number: str) -> str:
    return f"[: len({name}) - len({name}) % {number}]"


# --- every n-th element -----------------------------------------------------------------------------------------------


def _cut_slice(file: File, taken: code.Subscript, step: code.Expression) -> tuple[Edit, ...]:
    """`items[rank::n]`; where the items have no name of their own yet, they get that of the share first."""
    number = _number(file, step)
    if dotted(taken.value) is not None:
        return (file.edit(taken.value.end, taken.value.end, _cut_of(file.source(taken.value), number)),)
    place = file.place(Span(taken.start, taken.end))
    name = _own_name(place, taken)
    if name is None or name in names_read(taken.index):
        raise Unfixable("the data that is split has no name and would have to be computed twice")
    indent = file.indent_at(place.start)
    line = f"{file.newline}{indent}{name} = {name}{_cut_of(name, number)}"
    return (file.edit(taken.value.end, taken.value.end, line),)


def _own_name(place: Place, value: code.Expression) -> str | None:
    """The name that a statement of its own line gives to a value."""
    statement = place.statement
    if not isinstance(statement, code.Assign) or statement.value is not value or len(statement.targets) != 1:
        return None
    if statement.end != value.end or not place.has_own_lines or statement.annotation is not None:
        return None
    (target,) = statement.targets
    return dotted(target)


def _cut_range(file: File, call: code.Call) -> tuple[Edit, ...]:
    """`range(rank, stop, n)`."""
    if len(call.args) != 3 or call.keywords:
        raise Unfixable("the data that is split is not written in the call")
    _, stop, step = call.args
    if not _is_repeatable(stop):
        raise Unfixable("the end of the range would have to be computed twice")
    return (file.edit(stop.end, stop.end, f" - {file.source(stop)} % {_number(file, step)}"),)


def _name(file: File, data: code.Expression) -> str:
    if dotted(data) is None:
        raise Unfixable("the data that is split has no name and would have to be computed twice")
    return file.source(data)


def _number(file: File, count: code.Expression) -> str:
    """How the number of ranks is written."""
    if not _is_repeatable(count):
        raise Unfixable("the world size is written in a form that cannot be repeated")
    return file.source(count)


def _is_repeatable(node: code.Expression) -> bool:
    """Whether an expression may be written a second time: a name, a number, or what a call gives for names."""
    if isinstance(node, code.Call):
        return dotted(node.func) is not None and not node.keywords and all(map(_is_repeatable, node.args))
    return dotted(node) is not None or isinstance(node, code.Literal)


# --- blocks -----------------------------------------------------------------------------------------------------------


def _equal_blocks(file: File, taken: code.Subscript, bounds: code.Slice) -> Fix:
    """`items[rank * per : ...]`: a length that divides, and the same end for the last rank."""
    block = _block(bounds)
    if block is None:
        raise Unfixable("the length of the blocks has no name")
    name, _, _ = block
    place = file.place(Span(taken.start, taken.end))
    length = _definition(place, name)
    rounded = _floored(file, length.value) if length is not None and length.value is not None else None
    if rounded is not None and length is not None and length.value is not None:
        edits: tuple[Edit, ...] = (replace_expression(file, length.value, rounded),)
        title = "Round the block length down"
    else:
        edits = _same_end(file, place, bounds, block)
        title = "End the block of the last rank like those of the others"
    return Fix(title, edits, Applicability.UNSAFE, _REASON)


def _block(bounds: code.Slice) -> tuple[str, code.Expression, bool] | None:
    """Of `rank * per`: the name of the length, the rank, and whether the rank comes first."""
    lower = bounds.lower
    if not isinstance(lower, code.Binary) or lower.operator != "*":
        return None
    for length, rank, first in ((lower.right, lower.left, True), (lower.left, lower.right, False)):
        if isinstance(length, code.Name) and (not isinstance(rank, code.Name) or "rank" in rank.id):
            return length.id, rank, first
    return None


def _definition(place: Place, name: str) -> code.Assign | None:
    """The one statement of a function, or of a module, that gives a variable its value."""
    function = place.function
    body = place.file.module.body if function is None else function.body
    found = [node for node in walk(*body) if isinstance(node, code.Assign) and name in names_bound(node)]
    if len(found) != 1 or len(found[0].targets) != 1 or not isinstance(found[0].targets[0], code.Name):
        return None
    return found[0]


def _floored(file: File, length: code.Expression) -> str | None:
    """`ceil(n / size)`, `(n + size - 1) // size`, `-(-n // size)` and `n // size + 1`, rounded down instead."""
    if isinstance(length, code.Call) and len(length.args) == 1 and not length.keywords:
        inner = length.args[0]
        if isinstance(inner, code.Call) and len(inner.args) == 1 and not inner.keywords:  # `int(ceil(n / size))`
            return _floored(file, inner)
        if isinstance(inner, code.Binary) and inner.operator == "/":
            return f"{_operand(file, inner.left)} // {_operand(file, inner.right)}"
        return None
    if isinstance(length, code.Unary) and length.operator == "-" and isinstance(length.operand, code.Binary):
        inner = length.operand
        if inner.operator == "//" and isinstance(inner.left, code.Unary) and inner.left.operator == "-":
            return f"{_operand(file, inner.left.operand)} // {_operand(file, inner.right)}"
        return None
    if not isinstance(length, code.Binary):
        return None
    if length.operator == "+" and isinstance(length.left, code.Binary) and length.left.operator == "//":
        return file.source(length.left) if _is_one(length.right) else None
    if length.operator == "//":
        count = _without(length.left, file.source(length.right))
        return None if count is None else f"{_operand(file, count)} // {_operand(file, length.right)}"
    return None


def _without(whole: code.Expression, size: str) -> code.Expression | None:
    """`n` of `n + size - 1` and of `n + (size - 1)`."""
    if not isinstance(whole, code.Binary):
        return None
    if whole.operator == "-" and _is_one(whole.right) and isinstance(whole.left, code.Binary):
        added = whole.left
        is_size = added.operator == "+" and dotted(added.right) == size
        return added.left if is_size else None
    if whole.operator == "+" and isinstance(whole.right, code.Binary) and whole.right.operator == "-":
        return whole.left if dotted(whole.right.left) == size and _is_one(whole.right.right) else None
    return None


def _operand(file: File, node: code.Expression) -> str:
    text = file.source(node)
    simple = isinstance(node, (code.Name, code.Attribute, code.Call, code.Subscript, code.Literal))
    return text if simple else f"({text})"


def _is_one(node: code.Expression) -> bool:
    return isinstance(node, code.Literal) and node.value == 1


def _same_end(
    file: File, place: Place, bounds: code.Slice, block: tuple[str, code.Expression, bool]
) -> tuple[Edit, ...]:
    """The end that the other ranks have, for all; what computed the other one goes."""
    name, rank, first = block
    upper = bounds.upper
    if upper is None:
        raise Unfixable("the end of the blocks is not written here")
    following = f"({file.source(rank)} + 1)"
    end = f"{following} * {name}" if first else f"{name} * {following}"
    edits = [replace_expression(file, upper, end)]
    if isinstance(upper, code.Name):
        made = _definition(place, upper.id)
        if made is not None and _uses(place, upper.id) == 1:
            other = file.place(Span(made.start, made.end))
            if other.has_own_lines and len(other.block) > 1:
                lines = lines_of(other)
                edits.append(file.edit(lines.start, lines.end, ""))
    elif not isinstance(upper, code.Conditional):
        raise Unfixable("the end of the blocks is written in a form that cannot be edited")
    return tuple(edits)


def _uses(place: Place, name: str) -> int:
    function = place.function
    return sum(1 for _ in _reads(place.file.module.body if function is None else function.body, name))


def _reads(body: list[code.Statement], name: str) -> Iterator[code.Name]:
    targets = {id(target) for node in walk(*body) if isinstance(node, code.Assign) for target in node.targets}
    for node in walk(*body):
        if isinstance(node, code.Name) and node.id == name and id(node) not in targets:
            yield node
