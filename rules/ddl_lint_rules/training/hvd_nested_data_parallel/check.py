"""Finds models that are wrapped for data parallelism although a wrapped optimizer averages their gradients."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    NONE,
    Context,
    Event,
    Evidence,
    Finding,
    Items,
    Location,
    Object,
    RunView,
    alternatives,
    called_name,
    contradicts,
    is_absent,
    is_object,
    named,
    objects,
    objects_in,
    undecided,
    with_fix,
)
from ddl_lint.rulekit.domain import Parameter, Trained
from ddl_lint.rulekit.events import BuildOptimizer, Compile, Delegate, Forward, Prepare, WrapModel
from ddl_lint_rules.training.hvd_nested_data_parallel.fix import bare, outside


def check(run: RunView) -> Iterable[Finding]:
    """One finding per model."""
    if not run.is_script:
        return
    seen: set[Location] = set()
    for event in run.events(Prepare):
        if not is_object(event.result, "optimizer") or not _averages(event.result):
            continue
        evidence = (Evidence("gradients are averaged by the optimizer that is created here", event.location),)
        for wrap, message in _wrappers(run, event):
            if wrap.location not in seen:
                seen.add(wrap.location)
                advice = "Train the model without this wrapper; Horovod averages the gradients."
                yield with_fix(Finding(message, wrap.location, evidence, help=advice), bare, run, wrap)
        for place in _scopes(run, event):
            if place not in seen:
                seen.add(place)
                message = "a strategy replicates the model over all GPUs in each Horovod process"
                advice = "Build and compile the model outside of the strategy; Horovod does the rest."
                yield with_fix(Finding(message, place, evidence, help=advice), outside, run, place)


def _averages(value: object) -> bool:
    return isinstance(value, Object) and bool(Trained(value).averages_gradients)


def _wrappers(run: RunView, prepared: Prepare) -> Iterator[tuple[WrapModel, str]]:
    """Where models whose parameters the optimizer has are wrapped."""
    trained = _trained(run, prepared)
    for event in run.events(WrapModel):
        made = event.result
        if not isinstance(made, Object) or made not in trained or not _together(event.context, prepared):
            continue
        if made.traits.get("single_process") and not _is_on_one_device(event):
            yield event, "every process replicates the model over all GPUs, though it owns only one"
        elif Trained(made).averages_gradients and not made.traits.get("single_process"):
            call = named("the wrapper", called_name, run, event.location).rpartition(".")[2]
            yield event, f"`{call}` averages gradients that Horovod's optimizer averages again"


def _trained(run: RunView, prepared: Prepare) -> set[Object]:
    """The models, with wrappers, whose parameters the optimizer has or that are compiled with it."""
    found: set[Object] = set()
    inner = objects(prepared.object, "optimizer")
    for event in run.events(BuildOptimizer):
        parameters = event.parameters
        if event.result in inner and parameters is not None:
            found.update(model for part in objects_in(parameters) for model in objects(Parameter(part).model, "model"))
    for event in run.events(Compile):
        if prepared.result in objects(event.optimizer):
            found.update(objects(event.model, "model"))
    inside = {event.result: objects(event.model) for event in run.events(WrapModel)}
    called = {made for event in run.events(Forward) for made in objects(event.model)}
    for wrapper, models in inside.items():  # the optimizer was given the parameters of the model before it was wrapped
        if isinstance(wrapper, Object) and wrapper in called and found.intersection(models):
            found.add(wrapper)
    return found


def _together(context: Context, prepared: Event) -> bool:
    """Whether both happen in one run: under no choices that contradict each other, or that are independent."""
    if contradicts(context, prepared.context):
        return False
    own = {node.value for node in prepared.context.chain() if node.kind == "branch"}
    others = [node.value for node in context.chain() if node.kind == "branch" and not node.assumed]
    return not set(others) - own or not {node.value for node in undecided(prepared)} - set(others)


def _is_on_one_device(event: WrapModel) -> bool:
    """Whether the wrapper gets a single device, or something that is not known."""
    if is_absent(event, "device_ids"):
        return False
    value = event.device_ids
    return value is None or any(
        not isinstance(option, Items) or option.open or len(option.items) < 2 for option in alternatives(value)
    )


def _scopes(run: RunView, prepared: Event) -> Iterator[Location]:
    """The scopes of strategies in which a model is created, or compiled with the optimizer."""
    replicating = {event.result for event in run.events(Delegate) if "gradient_sync" in event.provides}
    for event in run.events(Compile):
        if prepared.result not in objects(event.optimizer):
            continue
        around = [
            (node.location, context)
            for node in event.context.chain()
            if node.kind == "with"
            for context in objects(node.value, "context")
        ]
        around += [
            (context.location, context)
            for model in objects(event.model, "model")
            for context in objects_in(model.given.get("made_in", NONE))
        ]
        for place, context in around:
            strategies = objects(context.given.get("strategy"), "strategy")
            if strategies and replicating.issuperset(strategies):
                yield place
                break
