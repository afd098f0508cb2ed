"""Finds outcomes of a trainer's `prepare` that are dropped or mixed up, and parts of the training that are left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    NONE,
    Apply,
    Event,
    Evidence,
    Finding,
    Items,
    Object,
    RunView,
    Severity,
    Unknown,
    Value,
    called_name,
    contents,
    contradicts,
    events_consuming,
    ignores_parameter,
    is_constant,
    is_divided,
    is_one_of_several,
    is_rank_guarded,
    loops,
    named,
    objects,
    parts,
    result_name,
    shown,
    trained_models,
    with_fix,
)
from ddl_lint.rulekit.domain import Loader, Model, Parameter
from ddl_lint.rulekit.events import (
    Backward,
    BuildLoader,
    BuildOptimizer,
    Forward,
    OptimizerStep,
    Prepare,
    RebindSwapped,
)
from ddl_lint_rules.training.accelerate_prepare_result.fix import fix_dropped, fix_order


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call."""
    if not run.is_script:
        return
    calls = [event for event in run.events(Prepare) if is_constant(event.divides, True)]
    faulty: set[Event] = set()
    for mixed in run.events(RebindSwapped):
        call = next((each for each in reversed(calls) if each.order < mixed.order and _holds(each, mixed)), None)
        if call is not None and call not in faulty:
            faulty.add(call)
            name = named("prepare", called_name, run, call.location)
            finding = Finding(
                f"`{name}` returns its arguments in order, but the result is unpacked in another order",
                call.location,
                help="Unpack the results in the order of the arguments.",
                consequence="crash",
            )
            yield with_fix(finding, fix_order, run, call)
    for call in calls:
        use = _raw_use(run, call) if call not in faulty else None
        if use is not None:
            faulty.add(call)
            name = named("prepare", called_name, run, call.location)
            finding = Finding(
                f"the result of `{name}` is dropped, so each process trains its own model",
                call.location,
                (Evidence("the unprepared model is trained here", use.location),),
                help=f"Assign what `{name}` returns to the names of its arguments, in their order.",
            )
            yield with_fix(finding, fix_dropped, run, call)
    prepared = run.events(Prepare)
    if calls and not faulty and all(map(_is_seen, prepared)) and not run.exhausted:
        yield from _left_out(run, calls, prepared)


def _holds(call: Prepare, mixed: Event) -> bool:
    """Whether a call was given both of what is mixed up."""
    given = _given(call)
    return all(held in given for role in ("object", "other") for held in objects(mixed.operands.get(role)))


def _given(call: Prepare) -> list[Object]:
    value = call.object
    return [part for part in parts(value) if isinstance(part, Object)] if value is not None else []


def _is_seen(call: Prepare | RebindSwapped) -> bool:
    """Whether all that a call was given can be seen."""
    value = call.object
    return value is not None and not any(
        isinstance(part, (Unknown, Apply)) or (isinstance(part, Items) and part.open) for part in parts(value)
    )


def _raw_use(run: RunView, call: Prepare) -> Forward | None:
    """Where a model that a call has prepared is trained as it was before, and nowhere in its wrapper."""
    trained = [event for event in run.events(Backward) if event.order > call.order]
    for model in _given(call):
        if model.kind != "model" or "wrapper" in model.traits or not trained:
            continue
        forwards = [event for event in run.events(Forward) if event.order > call.order]
        if any(_wraps(made, model) for event in forwards for made in objects(event.model)):
            continue
        uses = (event for event in forwards if objects(event.model) == [model])
        raw = (event for event in uses if not is_one_of_several(event))
        use = next((event for event in raw if not contradicts(call.context, event.context)), None)
        if use is not None and any(_in_one_loop(use, backward) for backward in trained):
            return use
    return None


def _wraps(made: Object, model: Object) -> bool:
    return Model(made).inner is model


def _in_one_loop(first: Event, second: Event) -> bool:
    around = loops(first.context)
    return any(node in around for node in second.context.chain())


def _left_out(run: RunView, calls: list[Prepare], prepared: list[Prepare]) -> Iterator[Finding]:
    """Models, optimizers and loaders that take part in the training beside prepared ones."""
    known = {made for event in prepared for made in _given(event)}
    known |= {held for made in known for held in objects(Model(made).inner)}
    models = [made for made in known if made.kind == "model"]
    inside = {part for made in models for part in contents(made, run.heap) if isinstance(part, Object)}
    backwards = [event for event in run.events(Backward) if _is_of_trainer(run, event)]
    trained = {
        owner
        for event in run.events(BuildOptimizer)
        for part in parts(event.operands.get("parameters", NONE))
        if isinstance(part, Object)
        for owner in objects(Parameter(part).model)
    }
    call = calls[-1]
    reported: set[Object] = set()
    for use in run.events(Forward, OptimizerStep):
        word = "model" if use.kind == "forward" else "optimizer"
        value = use.operands.get(word)
        held = objects(value)
        if len(held) != 1 or value is not held[0]:
            continue
        made = held[0]
        if run.heap.is_escaped(made) or run.heap.is_kept(made):
            continue
        if made in known | inside | reported or "wrapper" in made.traits:
            continue
        joins = _is_another(made, models, trained) if word == "model" else _steps(run, use, made, models)
        if made.kind != word or not joins:
            continue
        if not is_rank_guarded(use) and any(_in_one_loop(use, backward) for backward in backwards):
            reported.add(made)
            yield _missing(run, call, made, word, use)
    for built in run.events(BuildLoader):
        loader = built.result
        if (
            not isinstance(loader, Object)
            or loader in known
            or run.heap.is_escaped(loader)
            or loader.definition is not None
        ):
            continue
        fed = [event for event in events_consuming(run, loader, Backward) if event in backwards]
        if fed and not is_divided(loader, run.heap) and _is_plain(loader):
            yield _missing(run, call, loader, "loader", fed[0])


def _is_another(made: Object, models: list[Object], trained: set[Object]) -> bool:
    """Whether a model is trained as well as the prepared ones, and not to compare it with one of them."""
    return made in trained and (made.definition is None or all(made.definition != each.definition for each in models))


def _steps(run: RunView, step: Event, optimizer: Object, models: list[Object]) -> bool:
    """Whether an optimizer steps in a loop in which a prepared model works, and is not that of another model."""
    own = trained_models(optimizer)
    if own and own.isdisjoint(models):
        return False
    around = loops(step.context)[:1]
    return any(
        loops(event.context)[:1] == around and any(Model(made).inner in models for made in objects(model))
        for event in run.events(Forward)
        for model in [event.model]
    )


_CONSEQUENCES = {
    "model": "its gradients are not averaged",
    "optimizer": "its steps are not coordinated",
    "loader": "every process trains on all of its data",
}


def _missing(run: RunView, call: Event, made: Object, word: str, use: Event) -> Finding:
    name, what = (
        named("prepare", called_name, run, call.location),
        shown(f"the {word}", result_name, run, made.location),
    )
    return Finding(
        f"{what} is not passed to `{name}`, so {_CONSEQUENCES[word]}",
        call.location,
        (Evidence("it is used for training here", use.location),),
        severity=Severity.WARNING,
        unfixable="cannot tell how the prepared object will be used",
        help=f"Pass {what} to `{name}` too, and use the {word} that comes back.",
    )


def _is_of_trainer(run: RunView, event: Event) -> bool:
    owner = run.api.class_(event.api.rpartition(".")[0])
    return owner is not None and owner.kind == "trainer"


def _is_plain(loader: Object) -> bool:
    """Whether a loader goes over a data set with an index, as the loader itself sees fit."""
    data = Loader(loader).dataset
    given = [loader.given[name] for name in ("sampler", "batch_sampler") if name in loader.given]
    return not given and _is_map_style(data)


def _is_map_style(data: Value | None) -> bool:
    if not isinstance(data, Object) or data.kind != "dataset" or data.traits.get("iterable"):
        return False
    made = data.definition  # one that ignores the index draws what it returns
    return made is None or not ignores_parameter(made.definition, "__getitem__")
