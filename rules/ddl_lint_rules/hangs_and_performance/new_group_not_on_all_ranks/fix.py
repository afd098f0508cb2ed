"""Lets all ranks make the group."""

from __future__ import annotations

from typing import TypeGuard

from ddl_lint.rulekit import (
    Applicability,
    Context,
    Edit,
    Event,
    File,
    Fix,
    Found,
    Place,
    Rank,
    RunView,
    Span,
    Unfixable,
    WorldSize,
    argument_of,
    code,
    dotted,
    file_of,
    insert_before,
    move_out_of_guard,
    names_around,
    names_bound,
    names_read,
    remove,
    render_idiom,
    replace_expression,
    replace_statement,
    spelling_of,
    value_of,
    walk,
)

_REASON = "The other ranks wait here for the members of the group"
_TITLE = "Create the group on all ranks"


def fix(run: RunView, found: Found) -> Fix:
    """The call before the condition, under which the group is only used."""
    return Fix(_TITLE, move_out_of_guard(run, found), Applicability.UNSAFE, _REASON)


def fix_members_only(run: RunView, event: Event, guard: Context) -> Fix:
    """`if rank in ranks: group = new_group(ranks)`: all ranks make it, the members keep it."""
    file = file_of(run, event.location)
    call = file.node(event.location, code.Call)
    place = file.place(event.location)
    condition = place.outer(code.If)
    if condition is None or not isinstance(condition.statement, code.If) or condition.is_elif:
        raise Unfixable("the condition on the members is not a plain `if`")
    test, body = condition.statement.test, condition.statement.body
    if (test.start, test.end) != guard.location[1:] or all(each is not place.statement for each in body):
        raise Unfixable("the condition on the members is not a plain `if`")
    if any(isinstance(node, (code.Return, code.Jump, code.Raise)) for node in walk(*body)):
        raise Unfixable("the members exit before the next groups are created")
    if names_bound(*body) & names_read(call):
        raise Unfixable("the members of the group are not known before the condition")
    name = _free(condition, "group", "made_group")
    made = f"{name} = {file.source(call)}"
    return Fix(
        _TITLE, (*insert_before(condition, made), replace_expression(file, call, name)), Applicability.UNSAFE, _REASON
    )


def fix_own_list(run: RunView, event: Event) -> Fix:
    """The groups of all blocks of ranks in a loop, of which each rank keeps its own.

    It is known how to where the list begins at a multiple of its length, `rank // n * n` or `rank - rank % n`.
    """
    file = file_of(run, event.location)
    call, place = file.node(event.location, code.Call), file.place(event.location)
    kept = place.statement
    given = argument_of(run, event.api, call, "ranks")
    if not isinstance(kept, code.Assign) or kept.value is not call or len(kept.targets) != 1 or given is None:
        raise Unfixable("the group is not simply assigned to a variable")
    listed = value_of(given)
    steps: list[Place] = []
    if isinstance(listed, code.Name):
        steps.append(_made(place, listed.id))
        listed = _value(steps[-1])
    block = _block(run, event, place, listed)
    if block is None:
        raise Unfixable("all ranks must create the groups of all lists, which are not known here")
    first, rank, length = block
    steps.append(_made(place, first))
    world = spelling_of(run, WorldSize("global"), event)
    imports: tuple[Edit, ...] = ()
    if world is None:
        said = render_idiom(run, place, event.api, "world_size")
        world, imports = said.text, said.imports
    start, members, group = _free(place, "start"), _free(place, "members", "block"), _free(place, "group", "made_group")
    loop = (
        f"for {start} in range(0, {world}, {length}):\n"
        f"    {members} = {_with_name(file, listed, first, start)}\n"
        f"    {group} = {_with_argument(file, call, value_of(given), members)}\n"
        f"    if {rank} in {members}:\n"
        f"        {file.source(kept.targets[0])} = {group}\n"
    )
    gone = [edit for step in steps if not _is_read_elsewhere(place, step, steps) for edit in remove(step)]
    return Fix(
        "Create all groups on all ranks, and keep the own one",
        (*imports, *gone, *replace_statement(place, loop)),
        Applicability.UNSAFE,
        _REASON,
    )


def _made(place: Place, name: str) -> Place:
    """The statement of the block before a place that gives a variable its value."""
    for index in range(place.index - 1, -1, -1):
        if name in names_bound(place.block[index]):
            statement = place.block[index]
            if isinstance(statement, code.Assign) and len(statement.targets) == 1 and dotted(statement.targets[0]):
                return place.file.place(Span(statement.start, statement.end))
            break
    raise Unfixable("the members of the group are not written right before it")


def _value(place: Place) -> code.Expression:
    statement = place.statement
    assert isinstance(statement, code.Assign)
    if statement.value is None:
        raise Unfixable("the members of the group are not written right before it")
    return statement.value


def _block(run: RunView, event: Event, place: Place, listed: code.Expression) -> tuple[str, str, str] | None:
    """The variable that holds the first rank of the own block, with the texts of the rank and the block's length."""
    found: list[tuple[str, str, str]] = []
    for name in sorted(names_read(listed)):
        try:
            value = _value(_made(place, name))
        except Unfixable:
            continue
        aligned = _aligned(place.file, value)
        if aligned is not None:
            found.append((name, *aligned))
    if len(found) != 1 or found[0][1] in names_read(listed):
        return None
    text = found[0][1]
    is_rank = any(
        each.text == text and each.function is event.function and each.value == Rank("global")
        for each in run.spellings()
    )
    return found[0] if is_rank else None


def _aligned(file: File, node: code.Expression) -> tuple[str, str] | None:
    """The texts of `r` and `n` in `r // n * n`, `n * (r // n)` and `r - r % n`."""
    if not isinstance(node, code.Binary):
        return None
    if node.operator == "*":
        for inner, length in ((node.left, node.right), (node.right, node.left)):
            if _is_by(inner, file, "//", length):
                return file.source(inner.left), file.source(length)
    rest = node.right
    if node.operator == "-" and isinstance(rest, code.Binary) and _is_by(rest, file, "%", rest.right):
        first = file.source(node.left)
        return (first, file.source(rest.right)) if file.source(rest.left) == first else None
    return None


def _is_by(node: code.Expression, file: File, operator: str, length: code.Expression) -> TypeGuard[code.Binary]:
    """Whether a node is `... operator length`."""
    return (
        isinstance(node, code.Binary) and node.operator == operator and file.source(node.right) == file.source(length)
    )


def _with_name(file: File, node: code.Expression, old: str, new: str) -> str:
    """The text of an expression with another name for a variable."""
    text, end = "", node.end
    names = [each for each in walk(node) if isinstance(each, (code.Name, code.Attribute)) and dotted(each) == old]
    for each in sorted(names, key=lambda each: each.start, reverse=True):
        text, end = new + file.text[each.end : end] + text, each.start
    return file.text[node.start : end] + text


def _with_argument(file: File, call: code.Call, given: code.Expression, new: str) -> str:
    return file.text[call.start : given.start] + new + file.text[given.end : call.end]


def _is_read_elsewhere(place: Place, step: Place, steps: list[Place]) -> bool:
    """Whether the function reads a variable in other statements than those that the loop takes the place of."""
    statement = step.statement
    assert isinstance(statement, code.Assign)
    name = dotted(statement.targets[0])
    function = place.function
    body = place.file.module.body if function is None else function.body
    taken = [place.statement, *(each.statement for each in steps)]
    inside = sum(_reads(each, name) for each in taken)
    return name is None or "." in name or function is None or sum(_reads(each, name) for each in body) > inside


def _reads(statement: code.Statement, name: str | None) -> int:
    """How often a name occurs in a statement, other than as what it binds."""
    count = sum(isinstance(node, code.Name) and node.id == name for node in walk(statement))
    bound = [t for node in walk(statement) if isinstance(node, code.Assign) for t in node.targets]
    return count - sum(isinstance(target, code.Name) and target.id == name for target in bound)


def _free(place: Place, *names: str) -> str:
    taken = names_around(place)
    name = next((name for name in names if name not in taken), names[-1])
    while name in taken:
        name += "_"
    return name
