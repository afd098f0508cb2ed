"""Finds steps of wrapped optimizers that come after another number of backward passes than was announced."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Apply,
    Const,
    Context,
    Event,
    Evidence,
    Finding,
    Items,
    RunView,
    Setting,
    Severity,
    Unknown,
    Value,
    called_name,
    contradicts,
    forwards_behind,
    is_constant,
    loops,
    match,
    named,
    objects,
    parts,
    single_shot,
    trained_models,
    undecided,
    with_fix,
)
from ddl_lint.rulekit.domain import Trained
from ddl_lint.rulekit.events import Backward, BuildOptimizer, OptimizerStep, Prepare, Unfollowed, Wait
from ddl_lint_rules.training.hvd_accumulation_mismatch.fix import fix

_ONCE = Const(1)


def check(run: RunView) -> Iterable[Finding]:
    """One finding per step."""
    prepared = [event for event in run.events(Prepare) if event.accumulates is not None or _wraps(event)]
    for step in run.events(OptimizerStep):
        wrap = _wrap_of(run, step, prepared)
        if wrap is not None and not _waits_by_hand(run, step):
            yield from _judge(run, step, wrap)


def _wraps(event: Event) -> bool:
    return any(made.averages_gradients for made in Trained.among(event.result, "optimizer"))


def _wrap_of(run: RunView, step: OptimizerStep, prepared: list[Prepare]) -> Prepare | None:
    """Where the one optimizer that steps was wrapped; None where something else tells it about its steps too."""
    made = objects(step.optimizer)
    if len(made) != 1 or made[0].kind != "optimizer" or not Trained(made[0]).averages_gradients:
        return None
    if any(made[0] in objects(event.object) for event in run.events(Prepare)):
        return None
    return next((event for event in prepared if made[0] in objects(event.result)), None)


def _waits_by_hand(run: RunView, step: Event) -> bool:
    """Whether the loop of a step waits for the averaging itself, or does something that cannot be seen."""
    around = loops(step.context)[:1]
    return any(set(around) & set(loops(event.context)) for event in run.events(Wait, Unfollowed)) or not around


def _judge(run: RunView, step: OptimizerStep, wrap: Event) -> Iterator[Finding]:
    if "accumulates" in wrap.unseen:
        return
    announced = wrap.operands.get("accumulates", _ONCE)
    backwards = _backwards(run, step)
    if not backwards:
        return
    first = backwards[0]
    count = _passes(step, backwards)
    if count is None:
        return
    evidence = (
        Evidence("the optimizer is wrapped here", wrap.location),
        Evidence(("a backward pass of the same step"), first.location),
    )
    number = f"={count.value}" if isinstance(count, Const) else ""
    wrapper = named("DistributedOptimizer", called_name, run, wrap.location)
    advice = f"Pass `backward_passes_per_step{number}` to `{wrapper}`: the backward passes between two steps."
    if announced == _ONCE and count != _ONCE:
        finding = Finding(
            "several backward passes per step, but `backward_passes_per_step` is 1, the default",
            step.location,
            evidence,
            help=advice,
        )
        yield with_fix(finding, fix, run, wrap, step, first, count)
    elif isinstance(announced, Const) and isinstance(count, Const) and announced != count:
        if not isinstance(announced.value, int) or announced.value < 1 or not isinstance(count.value, int):
            return
        if count.value > announced.value:
            finding = Finding(
                f"{count.value} backward passes per step, but `backward_passes_per_step` is {announced.value}",
                step.location,
                evidence,
                help=advice,
            )
            yield with_fix(finding, fix, run, wrap, step, first, count)
        else:
            yield Finding(
                f"steps after {count.value} backward passes, but `backward_passes_per_step` is {announced.value}",
                step.location,
                evidence,
                severity=Severity.WARNING,
                help=f"Step after {announced.value} backward passes, or lower `backward_passes_per_step`.",
                unfixable="cannot tell whether to accumulate more or to lower the number",
                consequence="wasted-work",
            )


def _backwards(run: RunView, step: OptimizerStep) -> list[Backward]:
    """The backward passes that a step may use, all of one model; none where that is not certain."""
    around = loops(step.context)[0]
    steps = [event for event in run.events(OptimizerStep) if event is not step and around in loops(event.context)]
    if any(not contradicts(event.context, step.context) for event in steps):
        return []  # some of the backward passes may be for the other step
    found = [
        event
        for event in run.events(Backward)
        if event.order < step.order and around in loops(event.context) and not contradicts(event.context, step.context)
    ]
    if len({made for event in run.events(BuildOptimizer) for made in objects(event.result)}) > 1:
        return []
    return found if len(found) == 1 or _are_of_one_model(run, found, step) else []


def _are_of_one_model(run: RunView, backwards: list[Backward], step: OptimizerStep) -> bool:
    """Whether a model that the optimizer trains surely takes part in each of the backward passes."""
    common = {model for made in objects(step.optimizer) for model in trained_models(made)}
    for event in backwards:
        calls = forwards_behind(run, event.loss, event)
        common &= {made for call in calls for made in objects(call.model, "model")}
    return bool(common)


def _passes(step: Event, backwards: list[Backward]) -> Value | None:
    """How many backward passes come before a step; None where that is unknown."""
    around = loops(step.context)[0]
    inside = [[loop for loop in loops(event.context) if _is_within(loop, around)] for event in backwards]
    if any(inside):
        return _repeats(inside[0][0]) if len(backwards) == 1 and len(inside[0]) == 1 and not _counted(step) else None
    shared = {id(node) for node in undecided(step)}
    if any(id(node) not in shared for event in backwards for node in _conditions(event, around)):
        return None
    counts = {
        count for node in _conditions(step, around) if not _is_around(node, backwards) for count in _divisors(node)
    }
    if len(counts) > 1 or (counts and len(backwards) > 1):
        return None
    if counts:
        return counts.pop()
    if any(not _is_around(node, backwards) for node in _conditions(step, around)):
        return None
    return Const(len(backwards))


def _is_within(loop: Context, around: Context) -> bool:
    return loop is not around and around in loop.chain()


def _counted(step: Event) -> bool:
    return any(_divisors(node) for node in _conditions(step, loops(step.context)[0]))


def _conditions(event: Event, around: Context) -> Iterator[Context]:
    """The undecided conditions around an event inside of a loop."""
    return (node for node in undecided(event) if around in node.chain())


def _is_around(node: Context, backwards: list[Backward]) -> bool:
    """Whether a condition is around all backward passes as well."""
    return all(
        any(other.location == node.location and other.arm is node.arm for other in event.context.chain())
        for event in backwards
    )


def _divisors(node: Context) -> list[Value]:
    """Every how many batches a condition holds: the 4 of `(i + 1) % 4 == 0`."""
    found = parts(node.value) if node.value is not None else ()
    divisors = [pair[1] for part in found if (pair := match.modulo(part)) is not None]
    return [value for value in divisors if isinstance(value, (Const, Setting, Unknown, Apply))]


def _repeats(loop: Context) -> Value | None:
    """How often a loop runs, as far as it is known to run several times."""
    value = loop.value
    if loop.breaks or value is None or single_shot(loop):
        return None
    if (count := match.range_to(value)) is not None:
        return None if is_constant(count, 0, 1) else count
    if isinstance(value, Items) and not value.open:
        return Const(len(value.items))
    return Unknown()
