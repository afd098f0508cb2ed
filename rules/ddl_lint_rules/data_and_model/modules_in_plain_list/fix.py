"""Puts layers into a container that the module knows."""

from __future__ import annotations

from ddl_lint.rulekit import (
    NONE,
    Applicability,
    Apply,
    Const,
    Event,
    Fix,
    Items,
    Object,
    RunView,
    Table,
    Unfixable,
    Value,
    alternatives,
    code,
    file_of,
    is_set_up,
    render_idiom,
    walk,
)

_ITEMS = "the_items"


def fix(run: RunView, owner: Object, stores: list[Event], value: Value) -> Fix:
    """`self.x = [Linear(d, d)]` to `self.x = nn.ModuleList([Linear(d, d)])`.

    `stores` are the assignments of the attribute, and `value` is what it holds at last.
    """
    first = stores[0]
    file = file_of(run, first.location)
    place, around = file.place(first.location), file.around(first.location, code.Class)
    assign = place.statement
    if not isinstance(assign, code.Assign) or len(assign.targets) != 1 or assign.value is None or around is None:
        raise Unfixable("the attribute is not assigned on its own")
    (target,) = assign.targets
    if not isinstance(target, code.Attribute):
        raise Unfixable("the attribute is not assigned on its own")
    assigned = [node for node in walk(around) if isinstance(node, code.Assign) and _assigns(node, target.attr)]
    if len(assigned) != 1:
        raise Unfixable(f"`{target.attr}` is assigned in several places")
    if assign.annotation is not None:
        raise Unfixable("its annotation says that it is a plain container")
    if not is_set_up(first, place.start):
        raise Unfixable("cannot tell whether `super().__init__()` has been called before")
    said = render_idiom(run, place, owner.api or "", _idiom(value), items=_ITEMS)
    before, _, after = said.text.partition(_ITEMS)
    start, end = assign.value.start, assign.value.end
    if isinstance(assign.value, code.Display) and assign.value.kind == "tuple":
        if file.text[start - 1 : start] == "(":
            start, end = start - 1, end + 1
        else:
            before, after = f"{before}(", f"){after}"
    if isinstance(assign.value, (code.Display, code.Dictionary)) and not assign.value.items:
        edits = (file.edit(start, end, before + after),)
    else:
        edits = (file.edit(start, start, before), file.edit(end, end, after))
    kind = before.rstrip("(")
    return Fix(f"Use `{kind}`, which registers them", (*edits, *said.imports), Applicability.SAFE)


def _idiom(value: Value) -> str:
    """The container for what the attribute holds."""
    options = [option for option in alternatives(value) if option != NONE]
    if len(options) != 1:
        raise Unfixable("it holds different things at different times")
    (held,) = options
    if isinstance(held, Table):
        if held.open or not all(_is_text(key) for key, _ in held.items):
            raise Unfixable("a container of modules needs string keys, and the dict may have others")
        inside, kind = [item for _, item in held.items], "dict"
    elif isinstance(held, Items) and held.kind != "set":
        inside, kind = list(held.items), "list"
    else:
        raise Unfixable("there is no such container for modules")
    for what, container in (("model", "modules"), ("parameter", "parameters")):
        if inside and all(isinstance(item, Object) and item.kind == what for item in inside):
            return f"{container}_in_{kind}"
    raise Unfixable("the container also holds other things")


def _is_text(key: Value) -> bool:
    return (isinstance(key, Const) and isinstance(key.value, str)) or (
        isinstance(key, Apply) and key.operator == "text"
    )


def _assigns(node: code.Assign, name: str) -> bool:
    return any(isinstance(target, code.Attribute) and target.attr == name for target in node.targets)
