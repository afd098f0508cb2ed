"""Leaves the model, and the scaling of the loss, to the engine."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Edit,
    Engine,
    Event,
    File,
    Fix,
    Location,
    RunView,
    Span,
    Unfixable,
    argument_of,
    code,
    dotted,
    engine_at,
    file_of,
    method_of,
    objects,
    remove,
    replace_expression,
    value_of,
    walk,
    without_wrapper,
)
from ddl_lint.rulekit.events import OptimizerStep, ScaleLoss


def bare(run: RunView, wrap: Event) -> Fix:
    """`net = DistributedDataParallel(net.cuda())` to `net = net.cuda()`."""
    return Fix(
        "Pass the bare model to the engine",
        without_wrapper(run, wrap),
        Applicability.UNSAFE,
        "other users of the wrapper get the bare model too",
    )


def unscaled(run: RunView, engine: Engine, event: Event) -> Fix:
    """All that the program does with the scaler away: the scaled loss is the loss, its step is the engine's."""
    file = file_of(run, event.location)
    call = file.node(event.location, code.Call)
    name = dotted(call.func.value) if isinstance(call.func, code.Attribute) else None
    if name is None:
        raise Unfixable("the scaler has no name")
    edits: list[Edit] = []
    for node in walk(*file.module.body):
        if isinstance(node, (code.Name, code.Attribute)) and dotted(node) == name:
            edits += _without(run, engine, file, node, name)
    return Fix(
        "Remove the gradient scaler",
        tuple(edits),
        Applicability.UNSAFE,
        "loss scaling is then up to the engine's configuration",
    )


def _without(run: RunView, engine: Engine, file: File, node: code.Name | code.Attribute, name: str) -> tuple[Edit, ...]:
    """What becomes of one place where the scaler is named.

    Raises:
        Unfixable: the place does something else with it.
    """
    place = file.place(Span(node.start, node.end))
    statement = place.statement
    if isinstance(statement, code.Assign) and [dotted(target) for target in statement.targets] == [name]:
        return remove(place)
    call = next((each for each in walk(statement) if isinstance(each, code.Call) and _is_method(each, node)), None)
    if call is None:
        raise Unfixable("the scaler has other uses")
    location = Location(file.document.path, call.start, call.end)
    events = [each for each in run.events(ScaleLoss, OptimizerStep) if each.location == location]
    if not events and isinstance(statement, code.Evaluate) and statement.value is call:
        return remove(place)
    if not events:
        raise Unfixable("the scaler has other uses")
    if events[0].kind == "scale_loss":
        given = argument_of(run, events[0].api, call, "loss")
        if given is None:
            raise Unfixable("the loss is not written in the call")
        return (replace_expression(file, call, file.source(value_of(given))),)
    stepped = objects(events[0].operands.get("optimizer"))
    if not stepped or any(each not in engine.optimizers for each in stepped):
        raise Unfixable("the scaler steps another optimizer too")
    step = f"{engine_at(run, engine, events[0])}.{method_of(run, engine, 'optimizer_step')}()"
    return (replace_expression(file, call, step),)


def _is_method(call: code.Call, owner: code.Name | code.Attribute) -> bool:
    return isinstance(call.func, code.Attribute) and call.func.value is owner
