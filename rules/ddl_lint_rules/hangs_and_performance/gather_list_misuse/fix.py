"""Makes a tensor for each rank, and passes the list on the root only."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Edit,
    Event,
    Fix,
    Location,
    Rank,
    RunView,
    Unfixable,
    argument_of,
    code,
    dotted,
    file_of,
    render_idiom,
    replace_expression,
    spelling_of,
    value_of,
)


def make_each(run: RunView, place: Location) -> Fix:
    """`[torch.zeros(4)] * n` to `[torch.zeros(4) for _ in range(n)]`."""
    file = file_of(run, place)
    node = _repetition(run, place)
    listed, times = (node.left, node.right) if isinstance(node.left, code.Display) else (node.right, node.left)
    if not isinstance(listed, code.Display) or len(listed.items) != 1:
        raise Unfixable("the list is not written as `[tensor] * n`")
    item = listed.items[0]
    made = file.source(item)
    if dotted(item) is not None:
        made += ".clone()"
    elif not isinstance(item, code.Call):
        raise Unfixable("cannot tell how to create another such tensor")
    new = f"[{made} for _ in range({file.source(times)})]"
    return Fix("Create one tensor per entry", (replace_expression(file, node, new),), Applicability.SAFE)


def _repetition(run: RunView, place: Location) -> code.Binary:
    """The product around or at a place."""
    found = file_of(run, place).around(place, code.Binary)
    if found is None or found.operator != "*":
        raise Unfixable("the list is not written as `[tensor] * n`")
    return found


def pass_on_root(run: RunView, event: Event, role: str) -> Fix:
    """`dist.gather(x, parts)` to `dist.gather(x, parts if dist.get_rank() == 0 else None)`."""
    file = file_of(run, event.location)
    call = file.node(event.location, code.Call)
    given = argument_of(run, event.api, call, role)
    if given is None:
        raise Unfixable("the list is not given in this call")
    root = argument_of(run, event.api, call, "root")
    number = "0" if root is None else file.source(value_of(root))
    rank = spelling_of(run, Rank("global"), event)
    imports: tuple[Edit, ...] = ()
    if rank is None:
        said = render_idiom(run, file.place(event.location), event.api, "rank")
        rank, imports = said.text.strip(), said.imports
    written = value_of(given)
    new = f"{file.source(written)} if {rank} == {number} else None"
    return Fix("Pass the list on the root only", (replace_expression(file, written, new), *imports), Applicability.SAFE)


def fill(run: RunView, event: Event) -> Fix:
    """There is no fix: what a rank is to receive, the call does not say."""
    raise Unfixable("cannot tell what the list should hold")
