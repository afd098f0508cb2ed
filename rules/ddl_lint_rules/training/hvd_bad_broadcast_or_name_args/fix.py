"""Gives Horovod the parameters, states and optimizers that it takes."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    File,
    Fix,
    RunView,
    Unfixable,
    argument_of,
    code,
    dotted,
    file_of,
    model_named,
    objects,
    remove,
    render_idiom,
    replace_expression,
    value_of,
)


def state_of_model(run: RunView, event: Event) -> Fix:
    """`broadcast_parameters(net.parameters())` to `broadcast_parameters(net.state_dict())`."""
    file, given = _given(run, event, "by_name")
    name = _model_in(run, file, event, "by_name", given)
    return _said(run, file, event, given, "state_of", name, "Broadcast the state dict of the model")


def optimizer_itself(run: RunView, event: Event) -> Fix:
    """`broadcast_optimizer_state(optimizer.state_dict())` to `broadcast_optimizer_state(optimizer)`."""
    file, given = _given(run, event, "state_of")
    if not isinstance(given, code.Call) or not isinstance(given.func, code.Attribute):
        raise Unfixable("the optimizer has no name here")
    edit = replace_expression(file, given, file.source(given.func.value))
    return Fix("Pass the optimizer itself", (edit,), Applicability.SAFE)


def names_of_model(run: RunView, event: Event) -> Fix:
    """`named_parameters=net.parameters()` to `named_parameters=net.named_parameters()`."""
    file, given = _given(run, event, "named")
    name = _model_in(run, file, event, "named", given)
    return _said(run, file, event, given, "named_parameters", name, "Pass named_parameters() of the model")


def names_of_whole(run: RunView, event: Event) -> Fix:
    """`named_parameters=net.head.named_parameters()` to those of `net`, which the optimizer holds."""
    file, given = _given(run, event, "named")
    (inner,) = objects(event.operands.get("object"), "optimizer")
    name = model_named(run, inner.given.get("parameters"), file.place(event.location))
    return _said(
        run, file, event, given, "named_parameters", name, ("Pass the names of all parameters that the optimizer holds")
    )


def wrapped_once(run: RunView, event: Event) -> Fix:
    """`optimizer = hvd.DistributedOptimizer(wrapped)` to `optimizer = wrapped`."""
    file, given = _given(run, event, "object")
    call, place = file.node(event.location, code.Call), file.place(event.location)
    statement = place.statement
    is_itself = (
        isinstance(statement, code.Assign)
        and statement.value is call
        and [file.source(target) for target in statement.targets] == [file.source(given)]
    )
    edits = remove(place) if is_itself else (replace_expression(file, call, file.source(given)),)
    return Fix("Wrap the optimizer only once", edits, Applicability.SAFE)


def _given(run: RunView, event: Event, role: str) -> tuple[File, code.Expression]:
    file = file_of(run, event.location)
    given = argument_of(run, event.api, file.node(event.location, code.Call), role)
    if given is None:
        raise Unfixable("the argument is not written in the call")
    return file, value_of(given)


def _model_in(run: RunView, file: File, event: Event, role: str, given: code.Expression) -> str:
    """The name of the model in what is given: the model itself, or the one whose parameters or state are taken."""
    value = event.operands.get(role)
    if objects(value, "model"):
        name = dotted(given)
    elif isinstance(given, code.Call) and isinstance(given.func, code.Attribute) and not given.args:
        name = dotted(given.func.value)
    else:
        name = model_named(run, value, file.place(event.location))
    if name is None:
        raise Unfixable("the model has no name here")
    return name


def _said(run: RunView, file: File, event: Event, given: code.Expression, idiom: str, name: str, title: str) -> Fix:
    """Another expression for what is given."""
    said = render_idiom(run, file.place(event.location), event.api, idiom, model=name)
    return Fix(title, (*said.imports, replace_expression(file, given, said.text)), Applicability.SAFE)
