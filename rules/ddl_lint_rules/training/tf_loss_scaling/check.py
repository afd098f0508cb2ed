"""Finds losses of replicas that do not count the whole batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Apply,
    Claim,
    Const,
    Event,
    Evidence,
    Finding,
    Location,
    Object,
    RunView,
    Setting,
    Severity,
    Symbol,
    TagKind,
    Unknown,
    Value,
    is_constant,
    is_keras_2,
    match,
    objects,
    parts,
    replica_call,
    tags_of,
    with_fix,
)
from ddl_lint.rulekit.domain import PROCESSES, Count, count_of, quantity
from ddl_lint.rulekit.events import (
    Average,
    Backward,
    BuildOptimizer,
    ClipGradients,
    Collective,
    OptimizerStep,
    ScaleLoss,
)
from ddl_lint_rules.training.tf_loss_scaling.fix import divide_by_batch

_OVER_OWN = {"mean": "averaged", "sum": "summed"}


def check(run: RunView) -> Iterable[Finding]:
    """One finding per loss, per decay that is added to the gradients, and per mean of parts that are to be added up."""
    yield from _decays(run)
    yield from _averaged_again(run)
    for backward in run.events(Backward):
        call = replica_call(run, backward)
        loss = backward.loss
        if call is None or loss is None or not _is_applied(run, backward) or _is_mended(run, call.order, loss):
            continue
        unfit = _unfit(run, loss)
        if unfit is not None:
            message = Claim(
                'a loss of Keras 2 reduces by itself, which it refuses on replicas: `reduction="none"`', "crash"
            )
            yield Finding(
                message,
                unfit.location,
                (
                    Evidence("its gradients are taken here", backward.location),
                    Evidence("each replica runs this", call.location),
                ),
                unfixable="the size of the whole batch, by which to divide then, is for you to say",
            )
            continue
        term = next((each for each in _terms(loss) if _reduced_by(each)), None)
        if isinstance(term, Apply):
            is_evened = _is_of_batch(term) and _is_normalized(run, backward)
            finding = Finding(
                _said(term),
                term.location or backward.location,
                (
                    Evidence("its gradients are computed here", backward.location),
                    Evidence("each replica runs this function", call.location),
                ),
                severity=Severity.INFO if is_evened else None,
                doubt="the steps of the optimizer do not grow with the gradients" if is_evened else "",
            )
            yield with_fix(finding, divide_by_batch, run, term, call, is_per_example=_is_per_example(term))


def _averaged_again(run: RunView) -> Iterator[Finding]:
    """Where the parts of an average, each already divided by the size of the whole batch, are averaged again."""
    averages = {event.result: event for event in run.events(Average) if event.api}
    for event in run.events(Collective) if averages else ():
        if not is_constant(event.reduction, "avg") or not objects(event.strategy):
            continue
        for made in objects(event.tensor):
            average = averages.get(made.given.get("component"))
            if average is not None:
                yield Finding(
                    "the parts of the loss are divided by the global batch already; their mean is too small",
                    event.location,
                    (Evidence("each replica divides its part by the size of the whole batch here", average.location),),
                    severity=Severity.WARNING,
                    help="Add the parts up: reduce them with `SUM` instead of `MEAN`.",
                    unfixable="the numbers that were logged so far change by the number of replicas",
                )


def _decays(run: RunView) -> Iterator[Finding]:
    """Gradients to which each replica adds a part of the weights, before the optimizer sums them."""
    for step in run.events(OptimizerStep):
        call, gradients = replica_call(run, step), step.gradients
        if call is None or gradients is None or quantity(gradients).has(Count.DEVICES, *PROCESSES):
            continue
        place = next((place for part in parts(gradients) for place in _decayed(part)), None)
        if place is not None:
            message = "each replica adds the weight decay to its gradients, so it counts as often as there are replicas"
            evidence = (
                Evidence("the optimizer sums them here", step.location),
                Evidence("each replica runs this function", call.location),
            )
            reason = "whether to divide it, or to leave it to the optimizer, is for you to say"
            advice = "Pass `weight_decay=` to the optimizer, or divide the decay by the number of replicas."
            yield Finding(f"{message}", place, evidence, help=advice, unfixable=reason)


def _decayed(value: Value) -> Iterator[Location]:
    """Where a list is made of the sums of each gradient and a multiple of its weight."""
    if not isinstance(value, Apply) or value.operator != "each":
        return
    source, element = value.operands[:2]
    is_paired = isinstance(source, Apply) and source.operator == "zip" and len(source.operands) == 2
    if not is_paired or not isinstance(element, Apply) or element.operator not in ("+", "-"):
        return
    for one, other in (element.operands, element.operands[::-1]):
        if _is_gradient(one) and isinstance(other, Apply) and other.operator == "*" and len(other.operands) == 2:
            for weight, factor in (other.operands, other.operands[::-1]):
                place = match.element_place(weight)
                if place is not None and not _is_gradient(weight) and isinstance(factor, (Const, Setting)):
                    yield place


def _is_gradient(value: Value) -> bool:
    return any(tag.kind is TagKind.GRADIENT for tag in tags_of(value))


def _said(term: Apply) -> str:
    """What is wrong with a term of the loss."""
    operation = _reduced_by(term)
    if not _is_of_batch(term):
        return "each replica adds the whole regularization loss, so it counts as often as there are replicas"
    number = "the number of replicas" if operation == "mean" else "the batch size"
    return f"the loss is {_OVER_OWN[operation]} per replica, so gradients are too large by {number}"


def _is_of_batch(term: Apply) -> bool:
    """Whether the batch has a part in a term, which is not of the weights alone."""
    return any(isinstance(part, Unknown) for part in parts(term))


def _is_normalized(run: RunView, backward: Event) -> bool:
    """Whether all optimizers that may apply the gradients divide them by their own size, and nothing clips them."""
    steps = [step for step in run.events(OptimizerStep) if step.order > backward.order]
    optimizers = [each for step in steps for each in objects(step.optimizer, "optimizer")]
    return (
        bool(optimizers)
        and all(each.traits.get("normalizes") for each in optimizers)
        and not run.has(ClipGradients)
        and not any({"clipnorm", "clipvalue", "global_clipnorm"} & each.given.keys() for each in optimizers)
    )


def _is_applied(run: RunView, backward: Event) -> bool:
    """Whether an optimizer may come to use the gradients, which sums them over the replicas."""
    steps = (step for step in run.events(OptimizerStep) if step.order > backward.order)
    return run.has(BuildOptimizer) or any(True for _ in steps)


def _unfit(run: RunView, loss: Value) -> Object | None:
    """A loss object that reduces over the batch by itself, where Keras 2 is sure to be used."""
    for held in (part for part in parts(loss) if isinstance(part, Object) and part.traits.get("reduces")):
        if is_keras_2(run, held.location.path) and _reduction(held) in ("auto", "sum_over_batch_size"):
            return held
    return None


def _reduction(loss: Object) -> object:
    """How a loss object reduces its values; None where that is not known."""
    told = loss.given.get("reduction", Const("auto"))
    if isinstance(told, Const):
        return str(told.value).lower()
    return told.name.rpartition(".")[2].lower() if isinstance(told, Symbol) else None


def _reduced_by(value: Value) -> str:
    """`mean` or `sum`, where a value is that of what one replica has for each example; empty otherwise."""
    if not isinstance(value, Apply):
        return ""
    called = value.operands[0] if value.operands else None
    if isinstance(called, Object) and called.traits.get("reduces"):
        return "sum" if _reduction(called) == "sum" else ""
    inside = (held for held in parts(value) if isinstance(held, Object) and held.traits.get("reduces"))
    return value.operator if value.operator in _OVER_OWN and all(_reduction(each) == "none" for each in inside) else ""


def _is_per_example(term: Apply) -> bool:
    """Whether it is a loss object that gives the losses of the examples."""
    (losses,) = term.operands if len(term.operands) == 1 else (None,)
    called = losses.operands[0] if isinstance(losses, Apply) and losses.operands else None
    return isinstance(called, Object) and bool(called.traits.get("reduces")) and _reduction(called) == "none"


def _terms(loss: Value) -> Iterator[Value]:
    """What a loss is the sum of."""
    if isinstance(loss, Apply) and loss.operator == "+":
        for operand in loss.operands:
            yield from _terms(operand)
    else:
        yield loss


def _is_mended(run: RunView, since: int, loss: Value) -> bool:
    """Whether the gradients of a loss may be divided by the number of replicas instead."""
    return any(
        count_of(part) in (Count.DEVICES, *PROCESSES)
        for step in run.events(OptimizerStep)
        if step.order > since
        for part in parts(step.gradients or step.operands["optimizer"], opened=lambda each: each != loss)
    ) or any(event.order > since for event in run.events(ScaleLoss))
