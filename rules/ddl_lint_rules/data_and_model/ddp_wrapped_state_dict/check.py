"""Finds checkpoints whose keys carry the prefix of a wrapper, and the loads that therefore fail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePath

from ddl_lint.rulekit import (
    NONE,
    Alternatives,
    Apply,
    Confidence,
    Const,
    Event,
    Evidence,
    Finding,
    Fix,
    Location,
    Object,
    RunView,
    Severity,
    Shared,
    Table,
    Value,
    alternatives,
    always,
    as_data,
    children,
    compiled_before,
    doubt_of_wrapper,
    in_handler,
    is_constant,
    is_object,
    match,
    named,
    objects,
    objects_in,
    source_text,
    undecided,
    with_fix,
)
from ddl_lint.rulekit.domain import FileName, Model, RunFiles, State, Trained
from ddl_lint.rulekit.events import Forward, Load, LoadState, Save, StateDict, StripPrefix
from ddl_lint_rules.data_and_model.ddp_wrapped_state_dict.fix import fix


@dataclass(frozen=True)
class _Reading:
    """A state that was loaded from a file and is put into a model."""

    location: Location
    path: FileName | None
    """None when the file is unknown."""

    key: object
    """The key under which the state is in the file; None when it is unknown."""

    fails: bool
    """Whether a plain model surely refuses keys that it does not know."""

    prefixes: frozenset[str]
    """Those of the keys that the model takes."""

    lenient: bool
    """Whether it may take what fits."""

    is_prepared: bool = False
    """Whether the model has come from a trainer, which wraps it in the same jobs as the one that is saved."""


@dataclass(frozen=True)
class _Run:
    """What a run does with checkpoints."""

    folder: str
    is_script: bool
    readings: tuple[_Reading, ...]
    stripped: frozenset[str | int | None]
    """What it takes off the keys of a state, or how many letters."""

    files: RunFiles
    """What it loads and saves; what it reads of the files that it saves is its own."""

    taken: frozenset[tuple[Location, frozenset[str]]]
    """Where it takes the state of a model, with the prefixes that the keys surely have there."""


@dataclass(frozen=True)
class _Saved:
    """What a finding is about."""

    state: Location
    prefix: str
    path: FileName | None
    keys: tuple[object, ...] | None
    """The keys under which the state is in the file; None where they are unknown."""

    careful: Fix | None
    """The fix for a state that may be that of a plain model."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per `state_dict()` of a wrapper that ends in a file; the join knows who reads it."""
    for save in run.events(Save):
        for state in _wrapped_states(save):
            wrapper = objects(state.given["of"])[0]
            doubt = doubt_of_wrapper(run, save) if _depends_on_job(wrapper) else ""
            if doubt is None:
                continue
            prefix = str(wrapper.traits["state_dict_prefix"])
            evidence = [Evidence("the model is wrapped here", wrapper.location)]
            if save.location.path != state.location.path or save.location.start > state.location.end:
                evidence.append(Evidence("the state is written here", save.location))
            finding = Finding(
                _message(wrapper, prefix),
                state.location,
                tuple(evidence),
                help=_advice(run, wrapper, state, prefix),
                confidence=Confidence.MEDIUM if doubt else None,
                doubt=doubt,
            )
            careful = with_fix(finding, fix, run, state, prefix, may_be_plain=True).fix
            about = _Saved(state.location, prefix, FileName.of(save.path), _keys(save, state), careful)
            yield with_fix(replace(finding, about=about), fix, run, state, prefix)
        for state, compiling in _compiled_states(run, save):
            prefix = str(compiling.constants["prefix"])
            about = _Saved(state.location, prefix, FileName.of(save.path), _keys(save, state), None)
            is_sure = not any(undecided(compiling))
            yield Finding(
                f"saves the compiled model; a plain model cannot load its `{prefix}` keys",
                state.location,
                (Evidence("the model is compiled here", compiling.location),),
                help="Compile in place (`model.compile()`), or save the state of the model inside.",
                confidence=None if is_sure else Confidence.MEDIUM,
                doubt="" if is_sure else "an option decides whether the model is compiled",
                unfixable="what else calls the model by this name cannot be seen",
                about=about,
            )
        for wrapper, state in _parts_alone(run, save):
            yield Finding(
                "saves only the part of the weights that this rank holds",
                state.location,
                (Evidence("the model is sharded here", wrapper.location),),
                severity=Severity.ERROR,
                help="Let the trainer gather the full state on all ranks, and save that.",
                unfixable="the trainer must gather the state on all ranks, outside of the guard of the save",
                consequence="data-loss",
            )


def _compiled_states(run: RunView, save: Save) -> Iterator[tuple[Object, Event]]:
    """The states of compiled models in what is saved, and the calls that have compiled them."""
    value = save.object
    for state in objects_in(value) if value is not None and "unwrap_on_save" not in save.provides else ():
        models = objects(State(state).model, "model") if state.kind == "state_dict" else []
        if len(models) == 1 and "state_dict_prefix" not in models[0].traits and not State(state).is_unwrapped:
            compiling = compiled_before(run, models[0], save.order)
            if compiling is not None:
                yield state, compiling


def _message(wrapper: Object, prefix: str) -> str:
    if _depends_on_job(wrapper):
        return f"saves the prepared model; with several processes, a plain model cannot load its `{prefix}` keys"
    kind = (wrapper.api or "wrapper").rpartition(".")[2]
    return f"saves the `{kind}` wrapper; a plain model cannot load its `{prefix}` keys"


def _advice(run: RunView, wrapper: Object, state: Object, prefix: str) -> str:
    model = named("model.state_dict()", source_text, run, state.location).removesuffix(".state_dict()")
    if _depends_on_job(wrapper):
        return f"Unwrap `{model}` before saving its state, as with the trainer's `unwrap_model`."
    return f"Save the inner model: `{model}.{prefix}state_dict()`."


def publish(run: RunView) -> Iterator[_Run]:
    """What the run does with checkpoints."""
    facts = _Run(
        PurePath(run.run.path).parent.as_posix(),
        run.is_script,
        tuple(_read(run)),
        frozenset(_prefix_of(event) for event in run.events(StripPrefix)),
        RunFiles.of(run),
        frozenset((event.location, _prefixes(event.of)) for event in run.events(StateDict)),
    )
    if facts.readings or facts.stripped or facts.files.loads or facts.taken:
        yield facts


def join(finding: Finding, shared: Shared[_Run]) -> Finding | None:
    """Whether the programs that read the file take the keys as they are."""
    about = finding.about
    if not isinstance(about, _Saved):
        return finding
    concerned = _concerned(about, finding, shared)
    if any(_is_stripped(about.prefix, text) for each in concerned for text in each.stripped):
        return None
    readings = [
        reading
        for each in concerned
        for reading in each.readings
        if _may_concern(reading, about) and (each in shared.own or not each.files.saves_surely(about.path))
    ]
    same = [reading for reading in readings if reading.path is not None and reading.path.is_same(about.path)]
    failing = [reading for reading in same if reading.fails]
    if not failing and any(
        about.prefix in reading.prefixes or reading.lenient
        for reading in readings
        if reading in same or _may_read(reading, about)
    ):
        return None
    if failing:
        finding = replace(
            finding,
            message=f"saves the wrapper's `{about.prefix}` keys, and loading them into the plain model fails",
            evidence=(*finding.evidence, Evidence("the plain model does not have these keys", failing[0].location)),
            severity=Severity.ERROR,
        )
    elif not _is_read_plainly(about, shared):
        if any(_strips(each, about) for each in shared.project):
            return None
        finding = replace(finding, severity=Severity.INFO)
    plain = any(
        place == about.state and about.prefix not in prefixes for each in shared.file for place, prefixes in each.taken
    )
    if any(len(about.prefix) in each.stripped for each in shared.project):
        unfixable = "another program strips a prefix of this length from keys that it reads"
        return replace(finding, fix=None, unfixable=unfixable)
    return replace(finding, fix=about.careful) if plain and finding.fix is not None else finding


def _concerned(about: _Saved, finding: Finding, shared: Shared[_Run]) -> list[_Run]:
    """The runs of the program, and those of scripts beside it that read the very file that is written."""
    own = list(shared.program)
    if about.path is None or not about.path.literal:
        return own
    folders = {each.folder for each in shared.own} or {PurePath(finding.location.path).parent.as_posix()}
    beside = (each for each in shared.project if each.files.loads_surely(about.path) and each not in own)
    return [*own, *(each for each in beside if each.folder in folders)]


def _wrapped_states(save: Save) -> Iterator[Object]:
    """The states of wrapped models in what is saved."""
    value = save.object
    if value is None or "unwrap_on_save" in save.provides:
        return
    yield from _surely_wrapped(value)


def _parts_alone(run: RunView, save: Save) -> Iterator[tuple[Object, Object]]:
    """The states in what is saved that were taken of the inner model of one that a trainer has sharded."""
    value = save.object
    states = [held for held in objects_in(value) if held.kind == "state_dict"] if value is not None else []
    for state in states:
        if State(state).is_unwrapped:
            continue
        for forward in run.events(Forward):
            wrapper = next(iter(objects(forward.model)), None)
            if wrapper is not None and Trained(wrapper).is_prepared and run.traits(wrapper).get("sharded"):
                inner = Model(wrapper).inner
                if inner is not None and inner is State(state).model:
                    yield wrapper, state
                    break


def _surely_wrapped(value: Value) -> list[Object]:
    """The states of wrappers in a value; of a choice those that a condition chooses, or that all alternatives hold."""
    if isinstance(value, Object):
        wrapped = not State(value).is_unwrapped and always(value.given.get("of"), _has_prefix)
        return [value] if value.kind == "state_dict" and wrapped else []
    if isinstance(value, Alternatives):
        found = [(labels, _surely_wrapped(option)) for labels, option in value.options]
        is_sure = all(states for _, states in found)
        return [state for labels, states in found if is_sure or labels for state in states]
    return [state for part in children(value) for state in _surely_wrapped(part)]


def _has_prefix(model: Value) -> bool:
    """Whether a model is a wrapper that writes its own name into the keys."""
    if not isinstance(model, Object):
        return False
    averages = Model(model).wrapper in ("ddp", "dp") or Trained(model).averages_gradients
    if Trained(model).is_prepared and not model.traits.get("sharded") and not _depends_on_job(model):
        return False
    return bool(averages and Model(model).prefix)


def _depends_on_job(model: Object) -> bool:
    """Whether a trainer wraps the model in a job of several processes, and in one of one process not."""
    return Trained(model).is_prepared and bool(model.traits.get("hides_attributes"))


def _read(run: RunView) -> Iterator[_Reading]:
    paths = {load.location: load.path for load in run.events(Load)}
    for event in run.events(LoadState):
        state = event.state
        source = match.container_of(state)
        if isinstance(source, Object) and source.kind == "state_dict":
            if State(source).is_loaded:
                path = None if run.heap.is_escaped(source) else FileName.of(paths.get(source.location))
                yield _reading(run, event, path, _key_of(state) if isinstance(state, Apply) else NONE)
        else:
            yield _reading(run, event, None, None)


def _reading(run: RunView, event: LoadState, path: FileName | None, key: Value | None) -> _Reading:
    target, strict = event.target, event.strict
    models = objects(target, "model")
    options = [option for option in models if not _depends_on_job(option)]
    compiling = [compiled_before(run, option, event.order) for option in options]
    prefixes = {option.traits.get("state_dict_prefix") for option in options}
    prefixes |= {each.constants["prefix"] for each in compiling if each is not None}
    lenient = (strict is not None and not is_constant(strict, True)) or "strict" in event.unseen
    known = frozenset(str(prefix) for prefix in prefixes if prefix)
    chosen = None if key is None else as_data(key) or ()  # a key that is not known is none of those that are written
    fails = _fails(event) and not any(compiling)
    return _Reading(event.location, path, chosen, fails, known, lenient, bool(models) and not options)


def _keys(save: Save, state: Object) -> tuple[object, ...] | None:
    """The keys under which a state is in what is saved; None where some are unknown."""
    saved = save.object
    if not isinstance(saved, Table) or saved.open:
        return None
    keys = [key for key, value in saved.items if any(held is state for held in objects_in(value))]
    return tuple(map(as_data, keys)) if keys and all(isinstance(key, Const) for key in keys) else None


def _prefixes(model: Value | None) -> frozenset[str]:
    """The prefixes that the keys of a model's state surely have."""
    options = alternatives(model) if model is not None else ()
    found = [option.traits.get("state_dict_prefix") if isinstance(option, Object) else None for option in options]
    return frozenset({str(found[0])}) if found and found[0] and len(set(found)) == 1 else frozenset()


def _is_read_plainly(about: _Saved, shared: Shared[_Run]) -> bool:
    """Whether a program of the project may load the file and put its keys, as they are, into a plain model.

    One that loads what an option names counts if it is a script beside the one that writes, above or below it.
    """
    homes = [PurePath(each.folder) for each in shared.own]
    return any(
        _may_concern(reading, about) and _may_read(reading, about) and not (reading.lenient or reading.is_prepared)
        for each in shared.project
        if each.files.may_load(about.path) and not _strips(each, about)
        if each in shared.own or not each.files.saves_surely(about.path)
        for reading in each.readings
        if about.prefix not in reading.prefixes
        if each in shared.own or _is_named(reading.path) or (each.is_script and _is_near(each.folder, homes))
    )


def _is_named(path: FileName | None) -> bool:
    return path is not None and path.pattern is not None


def _is_near(folder: str, homes: Iterable[PurePath]) -> bool:
    here = PurePath(folder)
    return any(here.is_relative_to(home) or home.is_relative_to(here) for home in homes)


def _strips(each: _Run, about: _Saved) -> bool:
    """Whether a run takes the prefix off the keys of a file that may be the one that is written."""
    return each.files.loads_alike(about.path) and any(_is_stripped(about.prefix, text) for text in each.stripped)


def _may_read(reading: _Reading, about: _Saved) -> bool:
    return reading.path is None or reading.path.may_be(about.path)


def _may_concern(reading: _Reading, about: _Saved) -> bool:
    """Whether a reading may be of this state: one that takes another key of the file is not."""
    return reading.key is None or about.keys is None or reading.key in about.keys


def _key_of(state: Apply) -> Value | None:
    """The first key that is taken from what was loaded."""
    while isinstance(state.operands[0], Apply):
        state = state.operands[0]
    taken = match.index_of(state)
    return taken[1] if taken is not None else None


def _fails(event: LoadState) -> bool:
    """Whether what is put into a plain model must have the keys that it knows."""
    target = event.target
    return (
        is_object(target, "model")
        and always(target, lambda option: isinstance(option, Object) and "state_dict_prefix" not in option.traits)
        and event.strict is None
        and "strict" not in event.unseen
        and not in_handler(event)
    )


def _is_stripped(prefix: str, text: object) -> bool:
    return text == len(prefix) or (isinstance(text, str) and prefix.rstrip(".") in text)


def _prefix_of(event: StripPrefix) -> str | int | None:
    """The prefix that is cut off, or its length."""
    prefix = event.prefix
    return prefix.value if isinstance(prefix, Const) and isinstance(prefix.value, (str, int)) else None
