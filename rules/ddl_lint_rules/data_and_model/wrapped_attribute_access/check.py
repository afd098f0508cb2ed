"""Finds attributes and methods of a model that are asked of its wrapper, which does not have them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import PurePath

from ddl_lint.rulekit import (
    NONE,
    TRUE,
    Confidence,
    Const,
    Context,
    Event,
    Evidence,
    Finding,
    Location,
    Object,
    RunView,
    Severity,
    Symbol,
    Unknown,
    Value,
    alternatives,
    catches,
    catches_here,
    doubt_of_wrapper,
    has_parameters,
    idiom_at,
    is_constant,
    is_launched_as_several,
    is_launched_there,
    is_set_from_outside,
    match,
    module_children,
    named,
    normal,
    objects,
    objects_in,
    parts,
    parts_of,
    result_name,
    source_text,
    undecided,
    with_fix,
)
from ddl_lint.rulekit.domain import Model, Trained
from ddl_lint.rulekit.events import (
    AskMode,
    Backward,
    BuildOptimizer,
    LookInside,
    MissingAttribute,
    Prepare,
    SetTrainable,
    WrapModel,
)
from ddl_lint_rules.data_and_model.wrapped_attribute_access.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per place."""
    if PurePath(run.run.path).stem.startswith("test_"):
        return  # its parts are run one by one, each as it is set up
    for event in run.events(MissingAttribute):
        wrapper, name = event.object, event.name
        if not isinstance(wrapper, Object) or not isinstance(name, Const) or not _is_wrapper(wrapper):
            continue
        if (
            _is_tried(event)
            or _is_asked_before(event)
            or _is_other_arm(run, event)
            or _may_be_unwrapped(run, event)
            or _may_be_left_alone(run, event, wrapper)
            or _may_be_frozen(run, wrapper)
            or _is_wrapped_again(run, wrapper)
        ):
            continue
        attribute = str(name.value)
        if event.known != TRUE and is_set_from_outside(run, attribute):
            continue
        doubt = _doubt(run, event, wrapper)
        if doubt is None:
            continue
        finding = Finding(
            _message(run, event, wrapper, attribute),
            event.location,
            (Evidence("the model is wrapped here", wrapper.location),),
            severity=None if _is_in_each_job(run, event, wrapper) else Severity.WARNING,
            help=_advice(run, event, wrapper, attribute),
            confidence=Confidence.MEDIUM if doubt else None,
            doubt=doubt,
            cause=wrapper.location,
        )
        yield with_fix(finding, fix, run, event)


def _doubt(run: RunView, event: Event, wrapper: Object) -> str | None:
    """Why there may be no wrapper, as a half sentence, None where there surely is none: a trainer wraps what learns, in
    a job of several processes.
    """
    if "trainer" not in wrapper.given:
        return ""
    trained = {made for built in run.events(BuildOptimizer) for made in objects_in(built.operands["parameters"])}
    owners = {model for made in trained for model in objects(made.given.get("of"), "model")}
    held = module_children(run)
    modules = objects(Model(wrapper).inner)
    inner = {part for module in modules for part in parts_of(module, held)}
    if inner and owners.isdisjoint(inner):
        if not any(module.traits.get("declared") or has_parameters(module, held) for module in modules):
            return None  # a loss or a metric without parameters is left as it is
        if owners:
            return "no optimizer trains this model"
    return doubt_of_wrapper(run, event)


def _is_in_each_job(run: RunView, event: Event, wrapper: Object) -> bool:
    """Whether all jobs of several processes come there with the wrapper: none has to give an option for it, or may
    choose another wrapper, and the script is one that several processes run.
    """
    is_joint = is_launched_as_several(run) or wrapper.traits.get("single_process") or run.groups()
    if not is_joint and run.is_script:
        return False
    return is_launched_there(run, event) and ("trainer" not in wrapper.given or is_launched_as_several(run))


def _may_be_frozen(run: RunView, wrapper: Object) -> bool:
    """Whether the model may need no gradients when a trainer gets it, which leaves such a model as it is."""
    if "trainer" not in wrapper.given:
        return False
    models = alternatives(wrapper.given.get("module", NONE))
    prepared = [event.order for event in run.events(Prepare) if event.location == wrapper.location]
    return any(
        not is_constant(event.trainable, True)
        and event.order < max(prepared, default=event.order + 1)
        and any(_owner(item) in models for item in alternatives(event.operands["object"]))
        for event in run.events(SetTrainable)
    )


def _owner(item: Value) -> Value:
    """The model that is frozen, or whose parameters are."""
    return item.given.get("of", item) if isinstance(item, Object) and item.kind == "parameter" else item


def _is_wrapper(value: Object) -> bool:
    """Whether it is a wrapper of a library, or a module of the project that works as one."""
    return "wrapper" in value.traits or value.kind == "model"


def _is_wrapped_again(run: RunView, wrapper: Object) -> bool:
    """Whether the wrapper is in another one: programs choose one of the two, by what we may not see."""
    return any(wrapper in objects_in(wrap.operands.get("model", NONE)) for wrap in run.events(WrapModel))


def _message(run: RunView, event: MissingAttribute, wrapper: Object, name: str) -> str:
    """What goes wrong, with the name of the wrapper: what a trainer makes of a model has the usual one."""
    model = named("the model", _model, run, event)
    if Trained(wrapper).is_prepared:
        owner = f"with several processes `{model}`, wrapped in DDP,"
    elif wrapper.definition is not None:
        owner = f"`{model}` (`{wrapper.definition.definition.name}`)"
    else:
        owner = f"`{model}` (`{(wrapper.api or '').rpartition('.')[2]}`)"
    inside = "has it" if event.known == TRUE else "may have it"
    return f"{owner} has no `{name}`; only the inner model {inside}"


def _model(run: RunView, event: Event) -> str:
    """What the attribute is asked of, as it is written."""
    return source_text(run, event.location).rpartition(".")[0]


def _advice(run: RunView, event: Event, wrapper: Object, name: str) -> str:
    """How the code asks the inner model."""
    model = named("model", _model, run, event)
    trainer = next(iter(objects(Trained(wrapper).trainer)), None)
    if trainer is not None:
        holes = {"trainer": named("accelerator", result_name, run, trainer.location), "model": model}
        said = idiom_at("", run, event.location, trainer.api or "", "unwrapped", **holes)
        return f"Ask the unwrapped model: `{said}.{name}`." if said else ""
    inner = Model(wrapper).prefix
    return f"Ask the inner model: `{model}.{inner}{name}`." if inner else ""


def _is_tried(event: Event) -> bool:
    """Whether the program is ready for the error, or here because of one: `except AttributeError: model.encode(x)`."""
    return (
        catches(event.context, "AttributeError")
        or catches_here(event.context, "Exception", "BaseException")
        or any(node.kind == "handler" for node in event.context.chain())
    )


def _is_other_arm(run: RunView, event: Event) -> bool:
    """Whether the program looks inside the wrapper in the other arm of a condition around the event."""
    callers = {node.function for node in event.context.chain()} | {event.function}
    looks = [look for look in run.events(LookInside) if look.function in callers]
    around = {(node.location, node.arm) for node in _branches(event)}
    if any((node.location, not node.arm) in around for look in looks for node in _own_branches(look)):
        return True
    # What selects one of several values is at the place where it is asked.
    chosen = {_condition(node) for node in _branches(event) if node.location == event.location}
    return any((test, not arm) in chosen for look in looks for test, arm in map(_condition, _own_branches(look)))


def _may_be_unwrapped(run: RunView, event: Event) -> bool:
    """Whether the model comes here out of a call that may look inside the wrapper: one of several methods of a name,
    say, of which the others have models without a wrapper.
    """
    written = [event.location, *(node.location for node in event.context.chain() if node.kind == "call")]
    looked = {
        node.location
        for look in run.events(LookInside)
        for node in takewhile(lambda node: node.kind in ("call", "branch"), look.context.chain())
    }
    return any(call != place and place.covers(call) for call in looked for place in written)


def _branches(event: Event) -> Iterator[Context]:
    return (node for node in event.context.chain() if node.kind == "branch" and node.value is not None)


def _own_branches(event: Event) -> Iterator[Context]:
    """The branches of the function in which the event happens."""
    inner = takewhile(lambda node: node.kind not in ("call", "callback", "entry"), event.context.chain())
    return (node for node in inner if node.kind == "branch" and node.value is not None)


def _condition(branch: Context) -> tuple[Value, bool]:
    condition, holds = normal(NONE if branch.value is None else branch.value)
    return condition, holds is branch.arm


def _may_be_left_alone(run: RunView, event: Event, wrapper: Object) -> bool:
    """Whether a trainer may leave the model as it is here: the program trains nothing, or has asked the framework in
    which mode the job runs.
    """
    if "trainer" not in wrapper.given:
        return False
    if not run.has(Backward, BuildOptimizer):
        return True  # a script that trains nothing is one process, as a rule
    framework = run.api.framework(wrapper.api or "")
    return run.once(_asks_for_mode) or any(
        isinstance(part, Symbol) and run.api.framework(part.name) == framework
        for node in undecided(event)
        if node.value is not None
        for part in parts(node.value)
    )


def _asks_for_mode(run: RunView) -> bool:
    """Whether the program asks somewhere what the trainer wraps models in, or may do so where it prepares them, in
    an unknown call, or prepares what only an engine takes: FSDP and DeepSpeed pass on what they are asked for.
    """
    given = (made for event in run.events(Prepare) for value in event.operands.values() for made in objects_in(value))
    if any(made.traits.get("for_engine") for made in given):
        return True
    prepared = [node.value for event in run.events(Prepare) for node in undecided(event)]
    return run.has(AskMode) or any(
        isinstance(value, Unknown) and isinstance(value.origin, Location) for value in prepared
    )


def _is_asked_before(event: Event) -> bool:
    """Whether the program looks at the wrapper before it asks: `hasattr(model, "encode")`, `isinstance(model, DDP)`."""
    return any(node.value is not None and _asks(node.value, event) for node in undecided(event))


def _asks(condition: Value, event: Event) -> bool:
    for part in parts(condition):
        asked = match.inspection(part) or match.compared(part) or match.membership(part)
        if asked is not None and any(_is_about(side, event) for side in asked):
            return True
    return False


def _is_about(value: Value, event: Event) -> bool:
    """Whether a value is the wrapper, or its type."""
    return any(part in objects(event.operands["object"]) for part in parts(value) if isinstance(part, Object))
