"""Finds checkpoints whose keys carry the prefix of a wrapper, and the loads that therefore fail."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath

from ddl_lint.analysis.values.certainty import always, is_constant, is_object, objects
from ddl_lint.analysis.values.contexts import in_handler
from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.analysis.values.visitors import children, objects_in
from ddl_lint.analysis.view import ProjectView, RunView
from ddl_lint.finding import Evidence, Finding, Severity
from ddl_lint.fixes.build import with_fix
from ddl_lint.program.trace import Event
from ddl_lint.program.values import NONE, Alternatives, Apply, Const, Items, Object, Setting, Table, Value
from ddl_lint_rules.data_and_model.ddp_wrapped_state_dict.fix import fix


@dataclass(frozen=True)
class _Reading:
    """A state that was loaded from a file and is put into a model."""

    event: Event
    path: Value | None
    """None when the file cannot be told."""

    key: Value | None = None
    """The key under which the state stands in the file, `NONE` for the whole of it, None when it cannot be told."""


def check(project: ProjectView) -> Iterable[Finding]:
    """One finding per `state_dict()` of a wrapper that ends in a file."""
    for run in project.runs:
        for save in run.events("save"):
            for state in _wrapped_states(save):
                wrapper = objects(state.given["of"])[0]
                prefix = str(wrapper.traits["state_dict_prefix"])
                path = save.operands.get("path")
                others = _concerned(project, run, path)
                if not any(_is_stripped(prefix, text) for other in others for text in other.once(_stripped)):
                    relevant = [
                        reading
                        for other in others
                        for reading in other.once(_readings)
                        if _may_concern(reading, save, state) and (other is run or not _writes(other, path))
                    ]
                    for finding in _judge(save, state, wrapper, prefix, relevant):
                        yield with_fix(finding, fix, project, run, state, prefix)
            for wrapper, state in _parts_alone(run, save):
                yield Finding(
                    "the model inside the wrapper has only the part of the weights that this rank holds",
                    state.location,
                    (Evidence("the model is sharded here", wrapper.location),),
                    severity=Severity.ERROR,
                    unfixable="the trainer must collect the state on all ranks, outside of the guard of the save",
                )


def _concerned(project: ProjectView, run: RunView, path: Value | None) -> list[RunView]:
    """The runs of the program, and those of scripts beside it that read the very file that is written."""
    own = project.program_of(run).runs
    if not isinstance(path, Const):
        return list(own)
    folder = PurePath(run.run.path).parent
    readers = (other for other in project.runs if path in other.once(_files_read) and other not in own)
    return [*own, *(other for other in readers if PurePath(other.run.path).parent == folder)]


def _files_read(run: RunView) -> frozenset[Value]:
    """The files whose names are written in the code."""
    paths = (load.operands.get("path") for load in run.events("load"))
    return frozenset(path for path in paths if isinstance(path, Const))


def _stripped(run: RunView) -> frozenset[object]:
    """What a run takes off the keys of a state."""
    return frozenset(_prefix_of(event) for event in run.events("strip_prefix"))


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


def _writes(run: RunView, path: Value | None) -> bool:
    """Whether a run writes the file itself: what it reads is its own."""
    return any(_is_same(path, save.operands.get("path")) for save in run.events("save")) if path is not None else False


def _wrapped_states(save: Event) -> Iterator[Object]:
    """The states of wrapped models in what is saved."""
    value = save.operands.get("object")
    if value is None or "unwrap_on_save" in save.provides:
        return
    yield from _surely_wrapped(value)


def _parts_alone(run: RunView, save: Event) -> Iterator[tuple[Object, Object]]:
    """The states in what is saved that were taken of the inner model of one that a trainer has sharded."""
    value = save.operands.get("object")
    states = [held for held in objects_in(value) if held.kind == "state_dict"] if value is not None else []
    for state in states:
        if "unwrapped" in state.given:
            continue
        for forward in run.events("forward"):
            wrapper = next(iter(objects(forward.operands.get("model"))), None)
            if wrapper is not None and "trainer" in wrapper.given and wrapper.traits.get("sharded"):
                inner = wrapper.given.get("module")
                if inner is not None and inner is state.given.get("of"):
                    yield wrapper, state
                    break


def _surely_wrapped(value: Value) -> list[Object]:
    """The states of wrappers in a value; of a choice only where each alternative holds one."""
    if isinstance(value, Object):
        wrapped = "unwrapped" not in value.given and always(value.given.get("of"), _has_prefix)
        return [value] if value.kind == "state_dict" and wrapped else []
    if isinstance(value, Alternatives):
        found = [_surely_wrapped(option) for option in alternatives(value)]
        return [state for states in found for state in states] if all(found) else []
    return [state for part in children(value) for state in _surely_wrapped(part)]


def _has_prefix(model: Value) -> bool:
    """Whether a model is a wrapper that writes its own name into the keys."""
    if not isinstance(model, Object):
        return False
    averages = model.traits.get("wrapper") in ("ddp", "dp") or model.traits.get("synchronizes_gradients")
    return bool(averages and model.traits.get("state_dict_prefix"))


def _readings(run: RunView) -> list[_Reading]:
    return list(_read(run))


def _read(run: RunView) -> Iterator[_Reading]:
    paths = {load.location: load.operands.get("path") for load in run.events("load")}
    for event in run.events("load_state"):
        state = event.operands.get("state")
        source = state
        while isinstance(source, Apply) and source.operator == "index":
            source = source.operands[0]
        if isinstance(source, Object) and source.kind == "state_dict":
            if source.given.get("loaded"):
                path = None if run.heap.is_escaped(source) else paths.get(source.location)
                yield _Reading(event, path, _key_of(state) if isinstance(state, Apply) else NONE)
        else:
            yield _Reading(event, None)


def _is_same(read: Value, written: Value | None) -> bool:
    """Whether two paths are surely the same file."""
    return written is not None and read == written and any(_is_named(part) for part in (read, written))


def _is_named(path: Value) -> bool:
    return isinstance(path, (Const, Setting)) or (isinstance(path, Apply) and all(map(_is_named, path.operands)))


def _may_be(read: Value | None, written: Value | None) -> bool:
    """Whether two paths may be the same file; two different literals are not, nor files of different names."""
    if isinstance(read, Const) and isinstance(written, Const):
        return False
    pairs = ((_name(read), _name(written)), (_name(written), _name(read)))
    return all(
        pattern is None or not isinstance(name, str) or re.fullmatch(pattern, name) is not None
        for name, pattern in ((_literal(one), _pattern(other)) for one, other in pairs)
    )


def _name(path: Value | None) -> Value | None:
    """The last part of a path, as far as it is written in the code."""
    if isinstance(path, Apply) and path.operator == "/":
        return path.operands[-1]
    if isinstance(path, Apply) and path.operator == "derived" and len(path.operands) == 2:  # `os.path.join`
        last = path.operands[-1]
        return last.items[-1] if isinstance(last, Items) and last.items else None
    return path


def _literal(name: Value | None) -> str | None:
    return name.value.rpartition("/")[2] if isinstance(name, Const) and isinstance(name.value, str) else None


def _pattern(name: Value | None) -> str | None:
    """What a name that is put together looks like; None where nothing is known of it."""
    if isinstance(name, Const):
        literal = _literal(name)
        return None if literal is None else re.escape(literal)
    if not isinstance(name, Apply) or name.operator not in ("text", "+"):
        return None
    pieces = [part.value if isinstance(part, Const) and isinstance(part.value, str) else None for part in name.operands]
    return "".join(".*" if piece is None else re.escape(piece.rpartition("/")[2]) for piece in pieces)


def _may_concern(reading: _Reading, save: Event, state: Object) -> bool:
    """Whether a reading may be of this state: one that takes another key of the file is not."""
    saved = save.operands.get("object")
    if reading.key is None or not isinstance(saved, Table) or saved.open:
        return True
    keys = [key for key, value in saved.items if any(held is state for held in objects_in(value))]
    return not keys or reading.key in keys or not all(isinstance(key, Const) for key in (reading.key, *keys))


def _key_of(state: Apply) -> Value | None:
    """The first key that is taken from what was loaded."""
    while isinstance(state.operands[0], Apply):
        state = state.operands[0]
    return state.operands[1] if state.operator == "index" else None


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
