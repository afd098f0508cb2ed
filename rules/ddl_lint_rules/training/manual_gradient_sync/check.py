"""Finds gradients that are summed over the ranks and never averaged, and losses that are summed before backward."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, cast

from ddl_lint.rulekit import (
    NONE,
    Const,
    Event,
    EventKind,
    Evidence,
    Finding,
    Object,
    Replica,
    RunView,
    Severity,
    Unknown,
    Value,
    called_name,
    code,
    forwards_behind,
    in_process,
    is_call_of,
    is_constant,
    is_default_group,
    is_replicated,
    may_be_held_back,
    named,
    objects,
    parts,
    rank_guards,
    replicas,
    scales,
    with_fix,
)
from ddl_lint.rulekit.domain import Parameter, quantity
from ddl_lint.rulekit.events import Backward, Collective, ComputeGradients, SetGradient, SkipSynchronization
from ddl_lint_rules.training.manual_gradient_sync.fix import fix_loss, fix_sum

_SUM = Const("sum")


def check(run: RunView) -> Iterable[Finding]:
    """One finding per all-reduce."""
    if not run.is_script:
        return
    for event in run.events(Collective):
        tensor = event.tensor
        if (
            tensor is None
            or not is_constant(event.operation, "all_reduce")
            or not event.api
            or not is_default_group(event.group)
            or "group" in event.unseen
            or rank_guards(event.context)
        ):
            continue
        backward = _backward_of(run, event)
        call = named("all_reduce", called_name, run, event.location)
        if backward is not None:
            finding = Finding(
                f"no gradient flows through `{call}`; each rank only gets those of its own loss",
                event.location,
                (Evidence("the backward of the reduced loss", backward.location),),
                severity=Severity.ERROR,
                help="Call `backward()` on the loss of this rank, and reduce a detached copy for logging.",
            )
            yield with_fix(_under_wrapper(finding, call, backward) if replicas(run) else finding, fix_loss, run)
        elif _gradient(tensor) and _is_sum(event) and not _is_averaged(run, event):
            yield _summed(run, event, tensor)
        elif _gradient(tensor) and isinstance(tensor, Object):
            replica = _averaged_before(run, event, tensor)
            if replica is not None:
                yield Finding(
                    f"DDP has averaged these gradients already; `{call}` communicates them again",
                    event.location,
                    (Evidence("the model is wrapped here", replica.wrap.location),),
                    help="Drop the loop that reduces the gradients.",
                    unfixable=_LOOP,
                    consequence="wasted-work",
                )


def _under_wrapper(finding: Finding, call: str, backward: Backward) -> Finding:
    """What it means where DDP averages the gradients in any case."""
    if quantity(backward.loss).scales_with_processes():
        message = "the mean of the loss is divided by the world size, and DDP divides its gradients once more"
        return replace(finding, message=message, severity=Severity.WARNING)
    message = f"no gradient flows through `{call}`; DDP averages the gradients without it"
    return replace(finding, message=message, severity=Severity.INFO, doubt="the gradients are as without it")


_LOOP = "cannot tell what else the loop over the gradients is for"


def _summed(run: RunView, event: Event, tensor: Value) -> Finding:
    model = Parameter(tensor).model if isinstance(tensor, Object) else None
    if model is not None and is_replicated(model, run, run.api):
        finding = Finding(
            "DDP has averaged these gradients already; the sum is world_size times too large",
            event.location,
            tuple(
                Evidence("the model is wrapped here", model.location) for model in [model] if isinstance(model, Object)
            ),
            help="Drop the loop that reduces the gradients: DDP averages them in the backward.",
        )
    else:
        finding = Finding(
            "gradients are summed but not averaged, so each step is world_size times too large",
            event.location,
            help="Divide each gradient by the world size after the all-reduce, or wrap the model in DDP.",
        )
    if isinstance(tensor, Object) and _averaged_before(run, event, tensor) is not None:
        return replace(finding, unfixable=_LOOP)  # a division would leave work that is done twice
    return with_fix(finding, fix_sum, run, event)


def _averaged_before(run: RunView, event: Event, gradient: Object) -> Replica | None:
    """The wrapped model whose backward has surely averaged a gradient before it is reduced by hand."""
    if run.has(SkipSynchronization, SetGradient, ComputeGradients):
        return None
    owners = objects(gradient.given.get("of", NONE))
    replica = next((each for each in replicas(run) if owners == [each.wrapper]), None)
    backwards = [each for each in run.events(Backward) if each.order < event.order]
    if replica is None or not backwards:
        return None
    through = all(
        any(is_call_of(run, call, replica) for call in forwards_behind(run, each.loss, each)) for each in backwards
    )
    return replica if through and not any(may_be_held_back(run, each, replica) for each in backwards) else None


def _backward_of(run: RunView, event: Event) -> Backward | None:
    """A backward of what the call has reduced in place."""
    given = event.result
    if given is None or isinstance(given, Unknown) or (isinstance(given, Object) and given.kind == "tensor"):
        return None  # a call that returns its result has a derivative
    for backward in run.events(Backward):
        loss = backward.operands.get("loss", NONE)
        if backward.order > event.order and any(
            isinstance(part, Unknown) and part.origin == event.location for part in parts(loss)
        ):
            return backward
    return None


def _gradient(tensor: Value) -> bool:
    """Whether a value is the gradient of a parameter itself."""
    if isinstance(tensor, Object):
        return is_constant(tensor.given.get("gradient"), True)
    return isinstance(tensor, Unknown) and _is_read_as_gradient(tensor.origin)


def _is_read_as_gradient(origin: Any) -> bool:
    """Whether something unknown was read as `p.grad`, or `p.grad.data`."""
    while isinstance(origin, tuple) and cast("tuple[Any, ...]", origin)[1:] == ("data",):
        origin = cast("tuple[Any, ...]", origin)[0]
    return isinstance(origin, tuple) and cast("tuple[Any, ...]", origin)[1:] == ("grad",)


def _is_sum(event: Event) -> bool:
    return "reduction" not in event.unseen and event.operands.get("reduction", _SUM) == _SUM


_DIVIDED: tuple[tuple[str, EventKind], ...] = (
    ("loss", "backward"),
    ("learning_rate", "build_optimizer"),
    ("parameters", "build_optimizer"),
)
"""What may be divided by the number of ranks: the role, and the event in which it has that."""


def _is_averaged(run: RunView, event: Event) -> bool:
    """Whether gradients, loss or learning rate may be divided by the number of ranks somewhere."""
    amount = run.api.names_like("rank_count_patterns").search
    in_place = run.api.tensor_names("scaling_methods")
    for role, kind in _DIVIDED:
        for other in run.events(kind):
            if quantity(other.operands.get(role)).scales_with_processes(run.heap):
                return True
            # A program that starts its processes itself may divide by a literal, which no value shows.
            started = in_process(event) is not None
            if started and other.function is not None and scales(other.function.body, amount):
                return True
    return any(scales(body, amount, in_place) for body in _code_around(run, event))


def _code_around(run: RunView, event: Event) -> Iterator[object]:
    """The function with the call, and those around it that look at gradients themselves."""
    functions = [event.function, *(node.function for node in event.context.chain() if node.kind == "call")]
    seen: set[int] = set()
    for function in functions:
        if function is None:
            module = run.module_at(event.location.path)
            yield [each for each in module.body if not isinstance(each, (code.Function, code.Class))] if module else []
        elif id(function) not in seen and (function is event.function or "grad" in function.mentions):
            seen.add(id(function))
            yield function.body
