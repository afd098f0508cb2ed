"""Tells one worker that it is the chief, and lets all into their first step."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    File,
    Fix,
    Place,
    RunView,
    Unfixable,
    add_keyword,
    argument_of,
    code,
    dotted,
    file_of,
    insert_item,
    keyword,
    name_at,
    parameter_of,
    render_idiom,
    replace_argument,
    scope_of,
    value_of,
    walk,
)


def name_chief(run: RunView, session: Event, server: Event) -> Fix:
    """`MonitoredTrainingSession(...)` to `MonitoredTrainingSession(..., is_chief=(task_index == 0))`."""
    file, origin = file_of(run, session.location), file_of(run, server.location)
    given = argument_of(run, server.api, origin.node(server.location, code.Call), "index")
    name = dotted(value_of(given)) if given is not None else None
    place, made = file.place(session.location), origin.place(server.location)
    own = None if name is None else _own_name(name, place, made)
    if own is None:
        raise Unfixable("the index of the task has no name here")
    call = file.node(session.location, code.Call)
    parameter = parameter_of(run, session.api, "chief") or "is_chief"
    written = argument_of(run, session.api, call, "chief")
    text = f"({own} == 0)"
    edit = (
        add_keyword(file, call, parameter, text)
        if written is None
        else replace_argument(file, written, f"{parameter}={text}")
    )
    return Fix("Tell the first worker that it is the chief", (edit,), Applicability.SAFE)


def _own_name(name: str, place: Place, made: Place) -> str | None:
    """The name under which a place knows what another place of the file calls so."""
    if place.file.document.path != made.file.document.path:
        return None
    if place.function is made.function:
        return name
    if "." in name:
        return name if name.startswith(("self.", "FLAGS.")) else None
    for node in walk(*scope_of(made)):
        # In a constructor, `self.index = index` keeps what is passed on.
        for target, value in _kept(node):
            if dotted(value) == name and target.startswith("self."):
                return target
    return None


def _kept(node: object) -> list[tuple[str, code.Expression]]:
    if not isinstance(node, code.Assign) or node.value is None or len(node.targets) != 1:
        return []
    (target,), value = node.targets, node.value
    if isinstance(target, code.Display) and isinstance(value, code.Display) and len(target.items) == len(value.items):
        pairs = zip(target.items, value.items, strict=True)
    else:
        pairs = iter([(target, value)])
    return [(name, held) for each, held in pairs if (name := dotted(each)) is not None]


def add_hook(run: RunView, prepared: Event, session: Event) -> Fix:
    """The hook of the optimizer before the others of the session."""
    file = file_of(run, session.location)
    place = file.place(session.location)
    call = file.node(session.location, code.Call)
    chief = argument_of(run, session.api, call, "chief")
    if chief is None:
        raise Unfixable("which worker is the chief is for you to say")
    hooks = _hooks(file, call, place)
    said = render_idiom(
        run,
        place,
        prepared.api,
        "first_tokens",
        optimizer=name_at(run, prepared, place),
        chief=file.source(value_of(chief)),
    )
    edits = (*said.imports, insert_item(file, hooks.items[0], said.text))
    return Fix("Add the hook that lets the workers begin", edits, Applicability.SAFE)


def _hooks(file: File, call: code.Call, place: Place) -> code.Display:
    """The list of hooks as it is written: in the call, or in the one assignment of its name."""
    given = keyword(call, "hooks")
    if given is None:
        raise Unfixable("the session has no list of hooks")
    value: code.Expression | None = given.value
    name = dotted(given.value)
    if name is not None:
        made = [
            node
            for node in walk(*scope_of(place))
            if isinstance(node, code.Assign) and [*map(dotted, node.targets)] == [name]
        ]
        value = made[0].value if len(made) == 1 else None
    if not isinstance(value, code.Display) or not value.items:
        raise Unfixable("the hooks are collected elsewhere")
    return value
