"""Finds arguments that a library which averages the gradients of a wrapped optimizer always rejects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ddl_lint.rulekit import (
    Const,
    Event,
    Evidence,
    Finding,
    FunctionRef,
    Items,
    Object,
    RunView,
    Table,
    Value,
    always,
    argument_text,
    averaging,
    called_name,
    module_children,
    named,
    objects,
    parts_of,
    with_fix,
    wrappings,
)
from ddl_lint.rulekit.domain import integer, quantity
from ddl_lint.rulekit.events import Collective, OptimizerStep, Prepare, SkipSynchronization
from ddl_lint_rules.training.hvd_bad_broadcast_or_name_args.fix import (
    names_of_model,
    names_of_whole,
    optimizer_itself,
    state_of_model,
    wrapped_once,
)

_STATE = "Pass the model's `state_dict()`."
_NAMES = "Pass the `named_parameters()` of the whole model that the optimizer trains."
_ONCE = "Wrap the optimizer once and use that wrapper everywhere."
_AT_LEAST = "Pass the number of backward passes between two steps."


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call."""
    for event in run.events(Collective):
        yield from _broadcast(run, event)
    for event in wrappings(run):
        yield from _wrap(run, event)
    for event in run.events(OptimizerStep):
        yield from _step(event)
    for event in run.events(SkipSynchronization):
        yield from _skip(run, event)


def _is_wrapped(value: Value) -> bool:
    return bool(averaging(value))


def _broadcast(run: RunView, event: Collective) -> Iterator[Finding]:
    by_name = event.by_name
    call = named("broadcast", called_name, run, event.location)
    if always(by_name, _is_iterator):
        finding = Finding(
            f"`{call}` gets a generator of parameters, but needs names: a state dict",
            event.location,
            help=_STATE,
        )
        yield with_fix(finding, state_of_model, run, event)
    elif always(by_name, lambda value: isinstance(value, Object) and value.kind == "model"):
        finding = Finding(f"`{call}` gets a model, but needs its state dict", event.location, help=_STATE)
        yield with_fix(finding, state_of_model, run, event)
    of = event.state_of
    if always(of, lambda value: isinstance(value, Object) and value.kind == "state_dict"):
        finding = Finding(
            f"`{call}` gets the state of an optimizer, but needs the optimizer itself",
            event.location,
            help=f"Pass `{named('optimizer', _owner_of_state, run, event)}`, not its state.",
        )
        yield with_fix(finding, optimizer_itself, run, event)
    elif always(of, _is_undivided):
        yield Finding(
            f"`{call}` cannot broadcast an optimizer whose state is not kept per parameter",
            event.location,
            help="Load the same checkpoint on all ranks, or broadcast `optimizer.state_dict()` as one object.",
            unfixable="such a state has to be sent and loaded as a whole",
        )


def _owner_of_state(run: RunView, event: Event) -> str:
    """The optimizer of `optimizer.state_dict()` in a call that broadcasts it, as it is written."""
    return argument_text(run, event, "state_of").removesuffix(".state_dict()")


def _is_iterator(value: Value) -> bool:
    return isinstance(value, Items) and value.kind == "iterator"


def _is_undivided(value: Value) -> bool:
    """Whether a value is an optimizer, wrapped or not, whose state is not kept by parameter."""
    if not isinstance(value, Object):
        return False
    inside = [value, *objects(value.given.get("of"))]
    return any(made.traits.get("undivided_state") for made in inside)


def _wrap(run: RunView, event: Prepare) -> Iterator[Finding]:
    """What is wrong with how an optimizer is wrapped; the first of it is enough."""
    inner = event.object
    with_names = event.named
    if always(inner, _is_wrapped):
        before = tuple(Evidence("it was wrapped here", made.location) for made in objects(inner))
        yield with_fix(
            Finding("the optimizer is wrapped twice", event.location, before, help=_ONCE),
            wrapped_once,
            run,
            event,
        )
    elif always(with_names, _has_no_names):
        message = "the parameters have no names; pairs of name and parameter are needed"
        yield with_fix(Finding(message, event.location, help=_NAMES), names_of_model, run, event)
    elif _names_a_part(run, inner, with_names):
        message = "the names of some parameters that the optimizer holds are missing"
        finding = Finding(message, event.location, help=_NAMES)
        yield with_fix(finding, names_of_whole, run, event)
    elif always(event.accumulates, lambda value: _is_below(value, 1)):
        reason = "cannot tell how many backward passes come before a step"
        yield Finding("`backward_passes_per_step` must be at least 1", event.location, help=_AT_LEAST, unfixable=reason)
    elif always(event.predivide, _is_divisor) and always(
        event.reduction, lambda value: value in (Const("sum"), Const("adasum"))
    ):
        yield Finding(
            "a pre-division factor needs averaged gradients, but this wrapper sums them",
            event.location,
            help="Reduce with the average, or drop `gradient_predivide_factor`.",
            unfixable="cannot tell whether to average or to drop the pre-division",
        )


def _has_no_names(value: Value) -> bool:
    """Whether a value is a model, a dict, or a sequence of parameters alone."""
    if isinstance(value, Table) or (isinstance(value, Object) and value.kind in ("model", "state_dict")):
        return True
    return (
        isinstance(value, Items)
        and bool(value.items)
        and all(isinstance(item, Object) and item.kind == "parameter" for item in value.items)
    )


def _names_a_part(run: RunView, inner: Value | None, with_names: Value | None) -> bool:
    """Whether the optimizer holds all parameters of a model, and those of one part of it alone are named."""
    held = [_owners(made.given.get("parameters")) for made in objects(inner)]
    if len(held) != 1 or len(held[0]) != 1 or not isinstance(with_names, Items):
        return False
    (model,), names = held[0], set[Object]()
    for pair in with_names.items:
        if not isinstance(pair, Items) or len(pair.items) != 2:
            return False
        names |= {owner for made in objects(pair.items[1]) for owner in objects(made.given.get("of"), "model")}
    if len(names) != 1 or model in names:
        return False
    kept = module_children(run)
    (part,) = names
    others = [child for child in kept.get(model, ()) if child.kind in ("model", "parameter") and child is not part]
    return part in parts_of(model, kept) and any(_has_parameters(child, kept, part) for child in others)


def _has_parameters(child: Object, kept: Mapping[Object, list[Object]], part: Object) -> bool:
    """Whether something that a model holds beside a part of it has parameters of its own, as far as is known."""
    inside = parts_of(child, kept)
    return part not in inside and any(made.kind == "parameter" or made.traits.get("parameters") for made in inside)


def _owners(parameters: Value | None) -> set[Object]:
    """The model of which all parameters are given as they come; none where a selection may have been made."""
    if not isinstance(parameters, Items) or parameters.kind != "iterator":
        return set()
    return {model for item in parameters.items for made in objects(item) for model in objects(made.given.get("of"))}


def _is_below(value: Value, least: int) -> bool:
    number = integer(value)
    return number is not None and number < least


def _is_divisor(value: Value) -> bool:
    return quantity(value).number not in (None, 1)


def _step(event: OptimizerStep) -> Iterator[Finding]:
    if always(event.optimizer, _is_wrapped) and always(event.closure, lambda value: isinstance(value, FunctionRef)):
        yield Finding(
            "gradients that the closure computes are not averaged before the step uses them",
            event.location,
            help="Call `zero_grad()`, the forward and `backward()` in the loop, and `step()` without a closure.",
            unfixable="the body of the closure has to move into the loop",
            consequence="wrong-result",
        )


def _skip(run: RunView, event: SkipSynchronization) -> Iterator[Finding]:
    skipped = objects(event.optimizer)
    for wrap in wrappings(run):
        made = objects(wrap.result)
        if made and made == skipped and always(wrap.reduction, lambda value: value == Const("adasum")):
            yield Finding(
                "with Adasum, a step cannot skip the synchronization",
                event.location,
                (Evidence("the optimizer is wrapped with Adasum here", wrap.location),),
                help="Drop `skip_synchronize()`, or reduce by the average instead of Adasum.",
                unfixable="cannot tell whether Adasum or the skipping should go",
            )
