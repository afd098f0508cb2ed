"""Waits for the averages before gradients are changed, and steps without averaging them again."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Edit,
    Event,
    Fix,
    Object,
    RunView,
    Unfixable,
    argument_of,
    around,
    code,
    dotted,
    file_of,
    insert_before,
    keyword,
    may_be_unwrapped,
    meeting,
    method_for,
    objects,
    remove_argument,
    way,
    wrap,
)
from ddl_lint.rulekit.events import OptimizerStep

_TITLE = "Call synchronize() before the gradients are changed"


def wait_before(run: RunView, optimizer: Object, change: Event, step: Event) -> Fix:
    """`optimizer.synchronize()` before what changes the gradients, and `skip_synchronize()` around the step."""
    _is_always_wrapped(run, optimizer, step)
    shared = meeting(way(run, change), way(run, step))
    if shared is None:
        raise Unfixable("the step is in another process")
    late = around(shared[1].place)
    first = next((one for one in reversed(around(shared[0].place)) if any(one.block is o.block for o in late)), None)
    if first is None or shared[1].location != step.location:
        raise Unfixable("the step is in another function or block")
    name = optimizer_of(run, step)
    wait = f"{name}.{_method(run, optimizer, 'wait')}()"
    edits = (*insert_before(first, wait), *_without_averaging(run, optimizer, step))
    return Fix(_TITLE, edits, Applicability.SAFE)


def step_alone(run: RunView, optimizer: Object, step: Event, obsolete: str = "") -> Fix:
    """`with optimizer.skip_synchronize(): optimizer.step()`, without the argument that said so in older versions."""
    _is_always_wrapped(run, optimizer, step)
    file = file_of(run, step.location)
    call = file.node(step.location, code.Call)
    given = keyword(call, obsolete)
    if given is not None and not (isinstance(given.value, code.Literal) and given.value.value is False):
        raise Unfixable("the argument asks for averaging, or may do so")
    gone = () if given is None else (remove_argument(file, call, given),)
    edits = (*_without_averaging(run, optimizer, step), *gone)
    return Fix("Step inside skip_synchronize()", edits, Applicability.SAFE)


def _is_always_wrapped(run: RunView, optimizer: Object, step: Event) -> None:
    """Raises `Unfixable` when the run steps with the plain optimizer here, too, which has no such methods."""
    stepped = [
        made
        for other in run.events(OptimizerStep)
        if other.location == step.location
        for made in objects(other.optimizer)
    ]
    if any(made.api != optimizer.api for made in stepped) or may_be_unwrapped(run, step, [optimizer]):
        raise Unfixable("the optimizer is not wrapped in every run of the program")


def _without_averaging(run: RunView, optimizer: Object, step: Event) -> tuple[Edit, ...]:
    file = file_of(run, step.location)
    header = f"with {optimizer_of(run, step)}.{_method(run, optimizer, 'skip_synchronization')}():"
    return wrap(file.place(step.location), header)


def optimizer_of(run: RunView, step: Event) -> str:
    """How the step calls the optimizer: `optimizer` of `optimizer.step()` and of `scaler.step(optimizer)`."""
    file = file_of(run, step.location)
    call = file.node(step.location, code.Call)
    given = argument_of(run, step.api, call, "optimizer")
    if given is not None:
        name = dotted(given.value if isinstance(given, code.Keyword) else given)
    else:
        name = dotted(call.func.value) if isinstance(call.func, code.Attribute) else None
    if name is None:
        raise Unfixable("the optimizer has no name at its step")
    return name


def _method(run: RunView, optimizer: Object, event: str) -> str:
    name = method_for(run, optimizer.api, event) if optimizer.api is not None else None
    if name is None:
        raise Unfixable("the optimizer has no such method")
    return name
