"""Finds callbacks that look at metrics of their own rank alone, because nothing has averaged them yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    RANK_TAGS,
    Alternatives,
    Event,
    Evidence,
    Finding,
    Items,
    Object,
    RunView,
    Shared,
    Value,
    alternatives,
    called_name,
    idiom_at,
    named,
    objects,
    tags_of,
    with_fix,
)
from ddl_lint.rulekit.domain import Trained
from ddl_lint.rulekit.events import Collective, Compile, Fit, Prepare
from ddl_lint_rules.training.hvd_callback_order.fix import average, average_first


def check(run: RunView) -> Iterable[Finding]:
    """One finding per callback that averages too late, or per one that acts on what is never averaged."""
    for fit in run.events(Fit):
        yield from _judge(run, fit)


def publish(run: RunView) -> Iterator[bool]:
    """Whether a function that the training calls, such as a metric or a callback of the project, communicates."""
    if any(node.kind == "callback" for event in run.events(Collective) for node in event.context.chain()):
        yield True


def join(finding: Finding, shared: Shared[bool]) -> Finding | None:
    """Where such a function averages by itself, callbacks need not."""
    return None if any(shared.program) else finding


def _judge(run: RunView, fit: Fit) -> Iterator[Finding]:
    value = fit.callbacks
    if value is None:
        return
    reported: set[Object] = set()
    averaged = any(
        made.traits.get("averages_metrics") for event in run.events(Prepare) for made in objects(event.result)
    )
    for option in alternatives(value):
        made = _callbacks(option)
        late = next((each for each in reversed(made) if each.traits.get("averages_metrics")), None)
        if late is None or late in reported:
            continue
        before = made[: made.index(late)]
        if any(each.traits.get("averages_metrics") for each in before):
            continue
        reader = next((each for each in before if _looks(value, each)), None)
        if reader is not None:
            reported.add(late)
            averaging_ = _class_of(run, late)
            reading = _class_of(run, reader)
            finding = Finding(
                f"{averaging_} runs after {reading}, which reads unaveraged metrics",
                late.location,
                (Evidence("runs first, and reads metrics that are not averaged yet", reader.location),),
                help=f"Move {averaging_} before {reading}.",
            )
            yield with_fix(finding, average_first, run, late, reader)
    if not averaged and all(map(_is_complete, alternatives(value))) and _is_averaging_gradients(run, fit):
        yield from _never_averaged(run, value, fit)


def _never_averaged(run: RunView, value: Value, fit: Event) -> Iterator[Finding]:
    every = [each for option in alternatives(value) for each in _callbacks(option)]
    steering = next((each for each in every if each.traits.get("steers_by_metrics")), None)
    if steering is not None:
        api = run.groups()[0].api if run.groups() else fit.api
        acting = _class_of(run, steering)
        averager = idiom_at("hvd.callbacks.MetricAverageCallback()", run, steering.location, api, "average_metrics")
        finding = Finding(
            f"{acting} acts on metrics of its own rank, which nothing averages; the ranks may diverge",
            steering.location,
            (Evidence("the training that it controls", fit.location),),
            help=f"Add `{averager}` to the callbacks, before {acting}.",
            consequence="hang",
        )
        yield with_fix(finding, average, run, api, steering)


def _class_of(run: RunView, callback: Object) -> str:
    name = named("callback", called_name, run, callback.location)
    return f"`{name.rpartition('.')[2]}`"


def _callbacks(value: Value) -> list[Object]:
    """The callbacks of a list, in order; of an element that is a choice, all."""
    return [made for item in value.items for made in objects(item)] if isinstance(value, Items) else []


def _is_complete(value: Value) -> bool:
    """Whether all callbacks of a list can be seen."""
    return (
        isinstance(value, Items)
        and not value.open
        and all(isinstance(option, Object) for item in value.items for option in alternatives(item))
    )


def _looks(value: Value, callback: Object) -> bool:
    """Whether a callback makes something of the metrics that is of consequence on every rank that has it."""
    if callback.traits.get("steers_by_metrics"):
        return True
    return bool(callback.traits.get("reads_metrics")) and not _is_chosen_by_rank(value, callback)


def _is_chosen_by_rank(value: Value, callback: Object) -> bool:
    """Whether only some ranks have a callback in their list."""
    if not isinstance(value, Alternatives) or all(callback in _callbacks(option) for _, option in value.options):
        return False
    conditions = [condition for labels, _ in value.options for condition, _ in labels]
    return any(tags_of(condition) & RANK_TAGS for condition in conditions)


def _is_averaging_gradients(run: RunView, fit: Fit) -> bool:
    """Whether the model surely trains with an optimizer that averages gradients over the ranks."""
    trained = objects(fit.model, "model")
    compiled = [
        event
        for event in run.events(Compile)
        if event.order < fit.order and any(made in trained for made in objects(event.model))
    ]
    return bool(compiled) and any(made.averages_gradients for made in Trained.among(compiled[-1].optimizer))
