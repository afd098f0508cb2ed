"""Finds checkpoints whose keys carry the prefix of a wrapper, and the loads that therefore fail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ddl_lint.analysis.circumstances import in_handler
from ddl_lint.analysis.facts import always, is_constant, is_object, objects
from ddl_lint.analysis.operations import objects_in
from ddl_lint.analysis.view import ProjectView, RunView
from ddl_lint.finding import Evidence, Finding, Severity
from ddl_lint.program.trace import Event
from ddl_lint.program.values import Apply, Const, Object, Setting, Value


@dataclass(frozen=True)
class _Reading:
    """A state that was loaded from a file and is put into a model."""

    event: Event
    path: Value | None
    """None when the file cannot be told."""


def check(project: ProjectView) -> Iterable[Finding]:
    """One finding per `state_dict()` of a wrapper that ends in a file."""
    readings = [reading for run in project.runs for reading in _readings(run)]
    stripped = {_prefix_of(event) for run in project.runs for event in run.events("strip_prefix")}
    for run in project.runs:
        for save in run.events("save"):
            for state in _wrapped_states(save):
                wrapper = objects(state.given["of"])[0]
                prefix = str(wrapper.traits["state_dict_prefix"])
                if not any(_is_stripped(prefix, text) for text in stripped):
                    yield from _judge(save, state, wrapper, prefix, readings)


def _judge(save: Event, state: Object, wrapper: Object, prefix: str, readings: list[_Reading]) -> Iterator[Finding]:
    path = save.operands.get("path")
    evidence = [Evidence("the model is wrapped here", wrapper.location)]
    if save.location.path != state.location.path or save.location.start > state.location.end:
        evidence.append(Evidence("and the state is written here", save.location))
    same = [reading for reading in readings if reading.path is not None and _is_same(reading.path, path)]
    failing = [reading for reading in same if _fails(reading)]
    if failing:
        yield Finding(
            f"the saved keys start with `{prefix}`, for this is the state of the wrapper: the load into the plain "
            "model fails",
            state.location,
            (*evidence, Evidence("the plain model does not know these keys", failing[0].event.location)),
            severity=Severity.ERROR,
        )
    elif not any(_agrees(reading, prefix) for reading in readings if reading in same or _may_be(reading.path, path)):
        yield Finding(
            f"the saved keys start with `{prefix}`, for this is the state of the wrapper: "
            "a plain model cannot load them",
            state.location,
            tuple(evidence),
        )


def _wrapped_states(save: Event) -> Iterator[Object]:
    """The states of wrapped models in what is saved."""
    value = save.operands.get("object")
    if value is None or "unwrap_on_save" in save.provides:
        return
    for state in objects_in(value):
        of = state.given.get("of")
        if state.kind == "state_dict" and "unwrapped" not in state.given and always(of, _has_prefix):
            yield state


def _has_prefix(model: Value) -> bool:
    """Whether a model is a wrapper that writes its own name into the keys."""
    traits = model.traits if isinstance(model, Object) else {}
    return traits.get("wrapper") in ("ddp", "dp") and bool(traits.get("state_dict_prefix"))


def _readings(run: RunView) -> Iterator[_Reading]:
    paths = {load.location: load.operands.get("path") for load in run.events("load")}
    for event in run.events("load_state"):
        state = event.operands.get("state")
        source = state
        while isinstance(source, Apply) and source.operator == "index":
            source = source.operands[0]
        if isinstance(source, Object) and source.kind == "state_dict":
            if source.given.get("loaded"):
                yield _Reading(event, None if source.escaped else paths.get(source.location))
        else:
            yield _Reading(event, None)


def _is_same(read: Value, written: Value | None) -> bool:
    """Whether two paths are surely the same file."""
    return written is not None and read == written and any(_is_named(part) for part in (read, written))


def _is_named(path: Value) -> bool:
    return isinstance(path, (Const, Setting)) or (isinstance(path, Apply) and all(map(_is_named, path.operands)))


def _may_be(read: Value | None, written: Value | None) -> bool:
    """Whether two paths may be the same file; two different literals are not."""
    return not (isinstance(read, Const) and isinstance(written, Const))


def _fails(reading: _Reading) -> bool:
    target = reading.event.operands.get("target")
    return (
        is_object(target, "model")
        and always(target, lambda option: isinstance(option, Object) and "state_dict_prefix" not in option.traits)
        and reading.event.operands.get("strict") is None
        and "strict" not in reading.event.unseen
        and not in_handler(reading.event)
    )


def _agrees(reading: _Reading, prefix: str) -> bool:
    """Whether a load takes the keys with the prefix, or says that it takes what fits."""
    target = reading.event.operands.get("target")
    wrapped = any(option.traits.get("state_dict_prefix") == prefix for option in objects(target, "model"))
    strict = reading.event.operands.get("strict")
    return wrapped or (strict is not None and not is_constant(strict, True)) or "strict" in reading.event.unseen


def _is_stripped(prefix: str, text: object) -> bool:
    return text == len(prefix) or (isinstance(text, str) and prefix.rstrip(".") in text)


def _prefix_of(event: Event) -> object:
    """The prefix that is cut off, or its length."""
    prefix = event.operands.get("prefix")
    return prefix.value if isinstance(prefix, Const) else None
