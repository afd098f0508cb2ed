"""Finds learning rates of averaging optimizers and of schedules that do not depend on the number of processes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Const,
    Event,
    Evidence,
    Finding,
    FunctionModel,
    FunctionRef,
    Object,
    RunView,
    Setting,
    Severity,
    Symbol,
    Unknown,
    Value,
    Versions,
    code,
    contents,
    idiom_at,
    is_object,
    loops,
    match,
    objects,
    parts,
    result_name,
    shown,
    with_fix,
)
from ddl_lint.rulekit.domain import PROCESSES, Trained, quantity
from ddl_lint.rulekit.events import (
    BuildLoader,
    BuildOptimizer,
    BuildScheduler,
    Fit,
    Iterate,
    Prepare,
    QueryProcessGroup,
    Shard,
)
from ddl_lint_rules.training.hvd_learning_rate_not_scaled.fix import name_rate, scale


def check(run: RunView) -> Iterable[Finding]:
    """One finding per optimizer, and per schedule that wants the scaled rate."""
    if not run.is_script:
        return
    prepared = [event for event in run.events(Prepare) if _averages(event)]
    if not prepared or _keeps_batch(run) or any(_sums_otherwise(event) for event in prepared):
        return
    yield from _schedules(run)
    if not _is_adjusted(run):
        yield from _optimizers(run, prepared)


def _averages(event: Event) -> bool:
    return is_object(event.result, "optimizer") and any(made.averages_gradients for made in Trained.among(event.result))


def _sums_otherwise(event: Event) -> bool:
    """Whether gradients are combined in a way for which the rate of one process is right, or in an unknown way."""
    (made,) = objects(event.result)
    given = [value for name, value in made.given.items() if name not in ("optimizer", "of", "named_parameters")]
    return any(
        part == Const("adasum") or (isinstance(part, Unknown) and not part.tags)
        for value in given
        for part in parts(value)
    )


def _optimizers(run: RunView, prepared: list[Prepare]) -> Iterator[Finding]:
    """One finding per wrapped optimizer, which may be one of several that branches build."""
    for wrapper in prepared:
        wrapped = objects(wrapper.object)
        rates = [(event, event.learning_rate) for event in run.events(BuildOptimizer)]
        built = [event for event, rate in rates if event.result in wrapped and rate is not None and _is_unscaled(rate)]
        if not built:
            continue
        first = built[0]
        optimizer = shown("the optimizer", result_name, run, first.location)
        size = idiom_at("hvd.size()", run, first.location, wrapper.api, "world_size")
        finding = Finding(
            f"the learning rate of {optimizer} is not scaled by the number of processes",
            first.location,
            (
                Evidence("gradients are averaged over all processes from here on", wrapper.location),
                *(Evidence("or it is built here", other.location) for other in built[1:]),
            ),
            help=f"Multiply the learning rate by `{size}`, and warm it up over the first epochs.",
        )
        yield with_fix(finding, scale, run, built, wrapper)


def _schedules(run: RunView) -> Iterator[Finding]:
    """Schedules that set the learning rate themselves, and so need the scaled one; those without it as one finding,
    where they are made in one function.
    """
    lacking: dict[code.Function | None, list[tuple[Event, FunctionModel]]] = defaultdict(list)
    for event in run.events(BuildScheduler):
        model = run.api.class_(event.api)
        if model is None or "learning_rate" not in model.constructor.roles or "learning_rate" in event.unseen:
            continue
        rate = event.learning_rate
        if rate is None and not _is_older(run.versions_of(run.run.path), model.constructor):
            lacking[event.function].append((event, model.constructor))
        elif rate is not None and _is_unscaled(rate) and not _brings_factor(event):
            finding = Finding(
                "the warm-up ends at an unscaled learning rate, and starts at a fraction of it",
                event.location,
                severity=Severity.WARNING,
                help="Pass the learning rate times the number of processes.",
            )
            yield with_fix(finding, scale, run, [event])
    for made in lacking.values():
        yield _without_rate(run, [event for event, _ in made], made[0][1])


def _without_rate(run: RunView, events: list[Event], constructor: FunctionModel) -> Finding:
    """What schedules of one function do without the rate that newer versions ask for."""
    first, *others = events
    package, name = constructor.name.partition(".")[0], constructor.roles["learning_rate"]
    more = f" (and {len(others)} more)" if others else ""
    since = f" since {package.capitalize()} {constructor.since}" if constructor.since is not None else ""
    is_pinned = run.versions_of(run.run.path).is_known(package)
    finding = Finding(
        f"`{(first.api or '').rpartition('.')[2]}`{more} needs `{name}`{since}",
        first.location,
        tuple(Evidence(f"without `{name}`, too", event.location) for event in others),
        severity=Severity.ERROR if is_pinned else Severity.INFO,
        help=f"Pass the optimizer's learning rate as `{name}`.",
        consequence="crash",
    )
    return with_fix(finding, name_rate, run, events)


def _is_older(versions: Versions, constructor: FunctionModel) -> bool:
    """Whether the project may run with a version in which the signature was another one."""
    package = constructor.name.partition(".")[0]
    return (
        constructor.since is not None
        and versions.is_known(package)
        and not versions.surely_from(package, constructor.since)
    )


def _is_unscaled(rate: Value) -> bool:
    """Whether a rate is made of literals and options of the user alone."""
    if isinstance(rate, Const):
        return quantity(rate).number is not None
    if isinstance(rate, Setting):
        return rate.source == "argument" or isinstance(rate.default, Const)
    operands = match.arithmetic(rate)
    return operands is not None and all(map(_is_unscaled, operands))


def _is_adjusted(run: RunView) -> bool:
    """Whether something may set the rate later: a schedule that knows the number of processes, or is not known, or a
    place inside a loop that asks for this number.
    """
    if any(_brings_factor(event) or event.learning_rate is not None for event in run.events(BuildScheduler)):
        return True
    if any(
        loops(event.context) and quantity(event.result).is_surely(*PROCESSES) for event in run.events(QueryProcessGroup)
    ):
        return True
    return any(_is_callable_or_sized(value) for event in run.events(Fit) for value in _callbacks(run, event))


def _brings_factor(event: Event) -> bool:
    made = objects(event.result)
    return any(_is_callable_or_sized(value) for each in made for value in each.given.values())


def _callbacks(run: RunView, fit: Event) -> Iterator[Value]:
    for made in objects(fit.result):
        value = made.given.get("callbacks")
        yield from () if value is None else contents(value, run.heap)


def _is_callable_or_sized(value: Value) -> bool:
    return quantity(value).scales_with_processes() or any(
        isinstance(part, (FunctionRef, Symbol)) for part in parts(value)
    )


def _keeps_batch(run: RunView) -> bool:
    """Whether the batch of a process may be a part of the global one."""
    sizes = [event.batch_size for event in run.events(BuildLoader)]
    for event in run.events(Fit, Iterate, Shard):
        sizes += [
            made.given.get("batch_size")
            for role in ("data", "iterable")
            for value in [event.operands.get(role)]
            if value is not None
            for made in contents(value, run.heap)
            if isinstance(made, Object)
        ]
        sizes += [made.given.get("batch_size") for made in objects(event.result)]
        data = event.operands.get("data")
        if (
            event.kind == "shard"
            and isinstance(data, Setting)
            and "batch" in data.name
            and quantity(event.result).scales_with_processes()
        ):
            return True
    return any(quantity(size).scales_with_processes() for size in sizes)
