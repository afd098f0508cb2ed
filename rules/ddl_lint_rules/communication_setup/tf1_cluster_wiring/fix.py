"""Connects sessions, variables and servers of a cluster."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Context,
    Event,
    Fix,
    RunView,
    Span,
    Unfixable,
    add_keyword,
    argument_of,
    code,
    dotted,
    file_of,
    insert_after,
    insert_before,
    name_at,
    parameter_of,
    render_idiom,
    value_of,
)


def connect(run: RunView, session: Event, server: Event) -> Fix:
    """`MonitoredTrainingSession(...)` to `MonitoredTrainingSession(..., master=server.target)`."""
    file = file_of(run, session.location)
    place = file.place(session.location)
    call = file.node(session.location, code.Call)
    name = parameter_of(run, session.api, "target")
    if name is None:
        raise Unfixable("the session takes no server")
    said = render_idiom(run, place, server.api, "address_of", server=name_at(run, server, place))
    edits = (*said.imports, add_keyword(file, call, name, said.text))
    return Fix(f"Pass {name}={said.text}", edits, Applicability.SAFE)


def place_on_servers(run: RunView, setter: Event, server: Event) -> Fix:
    """`replica_device_setter(...)` to `replica_device_setter(..., cluster=cluster)`."""
    file = file_of(run, setter.location)
    call = file.node(setter.location, code.Call)
    given = argument_of(run, server.api, file_of(run, server.location).node(server.location, code.Call), "cluster")
    name = dotted(value_of(given)) if given is not None else None
    place, origin = file.place(setter.location), file_of(run, server.location).place(server.location)
    is_known = name is not None and place.file.document.path == origin.file.document.path
    if not is_known or name is None or (place.function is not origin.function and not _is_shared(name, origin)):
        raise Unfixable("the cluster has no name here")
    return Fix(f"Pass cluster={name}", (add_keyword(file, call, "cluster", name),), Applicability.SAFE)


def _is_shared(name: str, origin: object) -> bool:
    del origin
    return name.startswith("self.")


def keep_serving(run: RunView, server: Event, choice: Context) -> Fix:
    """`server.join()` at the end of what a parameter server does."""
    file = file_of(run, choice.location)
    condition = file.around(choice.location, code.If)
    if condition is None:
        raise Unfixable("the parameter server has no branch of its own")
    arm = condition.body if file.source(condition.test).count("!=") == 0 else condition.orelse
    if not arm:
        raise Unfixable("the parameter server has no branch of its own")
    leaving = next((each for each in arm if isinstance(each, (code.Return, code.Raise))), arm[-1])
    last = file.place(Span(leaving.start, leaving.end))
    said = render_idiom(run, last, server.api, "keep_serving", server=name_at(run, server, last))
    if isinstance(leaving, (code.Return, code.Raise)):
        edits = insert_before(last, said.text)
    else:
        edits = insert_after(last, said.text)
    return Fix("Let the parameter server wait", (*said.imports, *edits), Applicability.SAFE)
