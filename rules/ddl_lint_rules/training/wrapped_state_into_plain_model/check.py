"""Finds states that are loaded into a model whose keys have another prefix, where the program shows both ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    NONE,
    Apply,
    Claim,
    Const,
    Event,
    Evidence,
    Finding,
    Location,
    Object,
    RunView,
    Table,
    Unknown,
    Value,
    alternatives,
    catches,
    contradicts,
    is_constant,
    match,
    named,
    receiver,
)
from ddl_lint.rulekit.domain import Model, State
from ddl_lint.rulekit.events import Load, LoadState, Save, StripPrefix

_CAUGHT = ("RuntimeError", "KeyError", "Exception", "BaseException")


def check(run: RunView) -> Iterable[Finding]:
    """One finding per load."""
    loads = {load.location: load.path for load in run.events(Load)}
    for event in run.events(LoadState):
        target = _prefix(run, event.target)
        if target is None or catches(event.context, *_CAUGHT) or "strict" in event.unseen:
            continue
        strict = event.operands.get("strict", Const(True))
        if not is_constant(strict, True, False):
            continue
        for source, place, from_file in _sources(run, event, loads):
            if source == target or (from_file and source and is_constant(strict, True)):
                continue  # the state of a wrapper in a file: another rule says so where it is saved
            if from_file and source and _strips(run):
                continue
            yield _finding(
                run, event, source or target, place, is_strict=is_constant(strict, True), is_wrapped=bool(source)
            )
            break


def _finding(run: RunView, event: Event, prefix: str, place: Location, *, is_strict: bool, is_wrapped: bool) -> Finding:
    if is_wrapped:
        message = (
            f"loads a wrapper's state into a plain model; no key matches because of the `{prefix}` prefix"
            if is_strict
            else Claim(
                f"loads nothing; this wrapper's keys have the prefix `{prefix}`, the model's have not", "wrong-result"
            )
        )
    else:
        message = (
            f"loads a plain model's state into a wrapper, whose keys need the prefix `{prefix}`"
            if is_strict
            else Claim(
                f"loads nothing; the wrapper's keys have the prefix `{prefix}`, this state's have not", "wrong-result"
            )
        )
    inner = prefix.rstrip(".")
    advice = (
        f"Save the inner model (`.{inner}.state_dict()`), or strip `{prefix}` from the keys before loading."
        if is_wrapped
        else f"Load into the inner model: `{named('model', receiver, run, event)}.{inner}.load_state_dict(...)`."
    )
    evidence = (*_called_from(event), Evidence("the state comes from here", place))
    return Finding(message, event.location, evidence, help=advice)


def _called_from(event: Event) -> Iterator[Evidence]:
    """The calls that lead to a helper that loads: there the model, wrapped or not, is chosen."""
    for node in reversed(list(event.context.chain())):
        if node.kind == "call" and node.function is not None and node.function.name != "main":
            yield Evidence("called from here", node.location)


def _prefix(run: RunView, model: Value | None) -> str | None:
    """What the keys of a model start with, beyond those of the plain model; None where that is not certain."""
    options = () if model is None else alternatives(model)
    found = {
        Model(option).prefix
        if isinstance(option, Object) and option.kind in ("model", "engine") and _is_known(run, option)
        else None
        for option in options
    }
    return found.pop() if len(found) == 1 else None


def _is_known(run: RunView, model: Object) -> bool:
    """Whether a model writes keys as the models of frameworks say: a wrapper whose keys are known, or no wrapper."""
    wrapper = Model(model).wrapper
    if wrapper is None:  # a model of the project may call a part `module`, too, as an average of weights does
        return "module" not in run.heap.attributes(model)
    return wrapper in ("ddp", "dp")


def _sources(
    run: RunView, event: LoadState, loads: dict[Location, Value | None]
) -> Iterator[tuple[str, Location, bool]]:
    """The prefixes of the states that may be loaded, where they are taken, and whether they went through a file."""
    state = event.state
    if isinstance(state, Object) and state.kind == "state_dict" and not State(state).is_loaded:
        prefix = _prefix_of_state(run, state)
        if prefix is not None and not run.heap.at(event.order).is_escaped(state):
            yield prefix, state.location, False
        return
    source = match.container_of(state) if state is not None else None
    if not isinstance(source, Object) or not State(source).is_loaded:
        return
    key = match.index_of(state) if state is not None else None
    path = loads.get(source.location)
    if path is None or (key is not None and (key[0] is not source or not isinstance(key[1], Const))):
        return
    found: list[tuple[str, Location]] = []
    for save in run.events(Save):
        if not _is_similar(save.operands.get("path", NONE), path) or contradicts(save.context, event.context):
            continue
        prefix = _saved_prefix(run, save.operands.get("object", NONE), None if key is None else key[1])
        if prefix is None or "unwrap_on_save" in save.provides:
            return  # one of the files may be right
        found.append((prefix, save.location))
    if found and len({prefix for prefix, _ in found}) == 1:
        yield (*found[0], True)


def _saved_prefix(run: RunView, saved: Value, key: Value | None) -> str | None:
    """The prefix of the state that is saved under a key, the same whatever else the program puts beside it."""
    entries = [_entry(option, key) for option in alternatives(saved)]
    found = {_prefix_of_state(run, entry) if isinstance(entry, Object) else None for entry in entries}
    return found.pop() if len(found) == 1 else None


def _entry(saved: Value, key: Value | None) -> Value | None:
    """What is saved under a key."""
    if key is None:
        return saved
    if not isinstance(saved, Table):
        return None
    return next((value for name, value in reversed(saved.items) if name == key), None)


def _prefix_of_state(run: RunView, state: Object) -> str | None:
    if state.kind != "state_dict" or "of" not in state.given or run.heap.is_escaped(state):
        return None
    return "" if State(state).is_unwrapped else _prefix(run, state.given["of"])


def _is_similar(first: Value, second: Value) -> bool:
    """Whether two paths are written the same, except for the number of an epoch or the like."""
    if first == second:
        return _has_name(first)
    if isinstance(first, Apply) and isinstance(second, Apply) and first.operator == second.operator:
        if len(first.operands) != len(second.operands) or not _has_name(first):
            return False
        pairs = list(zip(first.operands, second.operands, strict=True))
        return all(one == other or _is_similar(one, other) or _is_varying(one, other) for one, other in pairs)
    return False


def _is_varying(one: Value, other: Value) -> bool:
    """Whether two pieces of a string are numbers, or the like, that a run computes."""
    return not isinstance(one, (Const, Object)) and not isinstance(other, (Const, Object))


def _has_name(path: Value) -> bool:
    """Whether some of a path is written in the code, or it is one and the same value."""
    if isinstance(path, Unknown):
        return path.origin is not None
    return True


def _strips(run: RunView) -> bool:
    """Whether the program takes prefixes off keys."""
    return bool(run.events(StripPrefix))
