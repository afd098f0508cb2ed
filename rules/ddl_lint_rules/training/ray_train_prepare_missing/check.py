"""Finds models and loaders of a function that several workers run, without preparing them for that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    Severity,
    Value,
    asked_for,
    events_consuming,
    idiom_at,
    in_process,
    is_constant,
    is_divided,
    is_rank_guarded,
    named,
    objects,
    objects_in,
    result_name,
    shown,
    with_fix,
)
from ddl_lint.rulekit.domain import Loader, Parameter
from ddl_lint.rulekit.events import (
    Backward,
    BuildLoader,
    BuildOptimizer,
    Collective,
    Communicate,
    Delegate,
    Forward,
    OptimizerStep,
)
from ddl_lint_rules.training.ray_train_prepare_missing.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per model or loader, where it is made."""
    if not run.is_script:
        return
    for started in run.events(Delegate) if not run.exhausted else ():
        makers = objects(started.result)
        if "launch" in started.provides and any(run.traits(made).get("multi_process") for made in makers):
            yield from _unprepared(run, started)


def _unprepared(run: RunView, started: Event) -> Iterator[Finding]:
    workers = Evidence("several workers run the function", started.location)

    def is_inside(event: Event) -> bool:
        process = in_process(event)
        return process is not None and process.location == started.location and not is_rank_guarded(event)

    backwards = [event for event in run.events(Backward) if is_inside(event)]
    if not backwards or not any(map(is_inside, run.events(OptimizerStep))):
        return
    if run.provides("wrap", "gradient_sync"):
        return  # then the loaders are the business of another rule
    if not _exchanges(run):
        forwards = [event for event in run.events(Forward) if is_inside(event)]
        called = [(event, objects(event.model)) for event in forwards]
        trained = _trained(run)
        uses = {models[0]: event for event, models in reversed(called) if len(models) == 1}
        for model, use in uses.items():
            if (
                model in trained
                and "wrapper" not in model.traits
                and not run.heap.is_escaped(model)
                and not run.heap.is_kept(model)
            ):
                name = shown("the model", result_name, run, model.location)
                finding = Finding(
                    f"{name} is not prepared, so each worker trains a model of its own",
                    asked_for(run, model, use),
                    (workers,),
                    help=_advice(run, started, model),
                )
                yield with_fix(finding, fix, run, started, model)
    if any(event.kind != "build_sampler" for event in run.providers("sampler")):
        return
    for built in run.events(BuildLoader):
        loader = built.result
        if (
            not isinstance(loader, Object)
            or run.heap.is_escaped(loader)
            or loader.definition is not None
            or not is_inside(built)
        ):
            continue
        if _goes_over_all(run, loader) and any(event in backwards for event in events_consuming(run, loader, Backward)):
            name = shown("the loader", result_name, run, loader.location)
            finding = Finding(
                f"{name} is not prepared, so each worker trains on all of the data",
                loader.location,
                (workers,),
                severity=Severity.WARNING,
                help=_advice(run, started, loader),
                consequence="wasted-work",
            )
            yield with_fix(finding, fix, run, started, loader)


def _advice(run: RunView, started: Event, made: Object) -> str:
    """The call that prepares a model or a loader."""
    kind = "loader" if made.kind == "loader" else "model"
    name = named(kind, result_name, run, made.location)
    said = idiom_at(f"prepare_{kind}({name})", run, made.location, started.api, f"prepare_{kind}", **{kind: name})
    return f"Pass it through Ray: `{name} = {said}`."


def _exchanges(run: RunView) -> bool:
    """Whether the workers may average gradients by themselves."""
    collectives = run.events(Collective)
    return run.has(Communicate) or not all(is_constant(event.operation, "barrier") for event in collectives)


def _trained(run: RunView) -> set[Object]:
    """The models whose parameters an optimizer has."""
    return {
        owner
        for event in run.events(BuildOptimizer)
        for part in _parts(event.parameters)
        for owner in objects(Parameter(part).model)
    }


def _parts(value: Value | None) -> list[Object]:
    return objects_in(value) if value is not None else []


def _goes_over_all(run: RunView, loader: Object) -> bool:
    data = Loader(loader).dataset
    given = [name for name in ("sampler", "batch_sampler") if name in loader.given]
    is_map = isinstance(data, Object) and data.kind == "dataset" and not data.traits.get("iterable")
    return is_map and not given and not is_divided(loader, run.heap)
