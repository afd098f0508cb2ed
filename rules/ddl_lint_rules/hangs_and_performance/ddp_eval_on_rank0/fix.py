"""Runs the model inside the wrapper, or lets all ranks run it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ddl_lint.rulekit import (
    NONE,
    Applicability,
    CollectiveWhen,
    Context,
    Edit,
    Fix,
    Found,
    Location,
    Object,
    RunView,
    TimelineStep,
    Unfixable,
    by_trainer,
    code,
    file_of,
    inside,
    may_be_unwrapped,
    move_out_of_guard,
    names_read,
    objects,
    replace_expression,
    timeline_of,
    truth_of,
)
from ddl_lint.rulekit.domain import Model, Trained
from ddl_lint.rulekit.events import ConvertBatchnorm, Forward

_ALL = "The other ranks also run the model, perhaps on data that they do not use otherwise"
_MOVES_INPUTS = "With `device_ids` the wrapper also moves its inputs to the device; the model inside does not"
_OTHER_BUFFERS = "The wrapper uses the buffers of rank 0; the model inside has those of its own rank"


def fix(run: RunView, found: Found) -> Fix:
    """`model(x)` to `model.module(x)`; where the parameters are sharded, the call is made by all ranks."""
    steps = list(_under_guard(run, found))
    if any(step.event is not None and step.event.kind != "forward" for step in steps):
        raise Unfixable("a backward on some ranks gives them other gradients than the rest")
    wrappers = [wrapper for step in steps for wrapper in _wrappers(step)]
    inner = {Model(wrapper).prefix.rstrip(".") for wrapper in wrappers}
    is_sharded = any(
        step.event is None or step.event.collective_when is not CollectiveWhen.HAS_BUFFERS for step in steps
    ) or any(run.traits(wrapper).get("sharded") for wrapper in wrappers)
    if len(inner) != 1 or "" in inner or is_sharded or found.run.has(ConvertBatchnorm):
        return Fix(
            "Move the call of the model out of the condition, to all ranks",
            move_out_of_guard(run, found),
            Applicability.UNSAFE,
            _ALL,
        )
    attribute = inner.pop()
    edits = tuple(dict.fromkeys(edit for step in steps for edit in _on_inner(run, found, step, attribute)))
    reason = ""
    if found.divergence.reaching.first.rank != 0:
        reason = _OTHER_BUFFERS
    elif any(truth_of(wrapper.given.get("device_ids", NONE)) is not False for wrapper in wrappers):
        reason = _MOVES_INPUTS
    applicability = Applicability.UNSAFE if reason else Applicability.SAFE
    way = "" if any(map(_trainers, steps)) else f", `.{attribute}`"
    return Fix(f"Call the model inside the wrapper{way}", edits, applicability, reason)


def _under_guard(run: RunView, found: Found) -> Iterator[TimelineStep]:
    """The passes that the guard keeps some ranks from."""
    for step in timeline_of(run).steps:
        kinds = ("forward", "backward", "optimizer_step")
        under = any(node is found.divergence.guard for node in step.context.chain())
        if under and not step.opaque and step.event is not None and step.event.kind in kinds:
            yield step


def _wrappers(step: TimelineStep) -> list[Object]:
    return objects(step.event.operands.get("model")) if step.event is not None else []


def _trainers(step: TimelineStep) -> list[Object]:
    return [trainer for wrapper in _wrappers(step) for trainer in objects(Trained(wrapper).trainer)]


def _on_inner(run: RunView, found: Found, step: TimelineStep, attribute: str) -> Sequence[Edit]:
    """The model, as the function of the guard names it, with the attribute that leads inside the wrapper."""
    model, location = _model_at(run, step.location)
    for node in step.context.chain():
        if node is found.divergence.guard:
            break
        if node.kind != "call" or node.function is None:
            continue
        name = model.id if isinstance(model, code.Name) else None
        if name is None or all(parameter.name != name for parameter in node.function.parameters):
            _see_to_other_users(run, found, step)
            break
        if f"{name}.{attribute}" in names_read(*node.function.body):
            raise Unfixable(f"`{node.function.name}` expects the wrapper")
        model, location = _argument(run, node, name)
    file = file_of(run, location)
    if not isinstance(model, (code.Name, code.Attribute, code.Subscript)):
        raise Unfixable("the model has no name here")
    assert step.event is not None
    for trainer in _trainers(step):
        return by_trainer(run, trainer, location, model)
    may_be_plain = may_be_unwrapped(run, step.event, _wrappers(step))
    return (replace_expression(file, model, inside(file, model, attribute, always=not may_be_plain)),)


def _model_at(run: RunView, location: Location) -> tuple[code.Expression, Location]:
    call = file_of(run, location).node(location, code.Call)
    return call.func, location


def _argument(run: RunView, node: Context, name: str) -> tuple[code.Expression, Location]:
    """What a call gives for a parameter."""
    call = file_of(run, node.location).node(node.location, code.Call)
    given = next((each.value for each in call.keywords if each.name == name), None)
    if given is not None:
        return given, node.location
    assert node.function is not None
    positional = [each.name for each in node.function.parameters if each.kind == "positional"]
    if isinstance(call.func, code.Attribute) and positional[:1] == ["self"]:
        positional = positional[1:]
    index = positional.index(name) if name in positional else len(call.args)
    if index >= len(call.args) or any(isinstance(each, code.Starred) for each in call.args[: index + 1]):
        raise Unfixable("the model is not passed by keyword or position")
    return call.args[index], node.location


def _see_to_other_users(run: RunView, found: Found, step: TimelineStep) -> None:
    """See that no other rank runs the model at this place."""
    guard = found.divergence.guard
    assert guard is not None
    for event in run.events(Forward):
        if event.location == step.location and all(node.location != guard.location for node in event.context.chain()):
            raise Unfixable("the function is called by all ranks elsewhere")
