"""Finds checkpoints that every process loads onto one and the same GPU."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ddl_lint.rulekit import (
    LOCAL_TAGS,
    NONE,
    UNKNOWN,
    Confidence,
    Const,
    Evaluator,
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    Setting,
    Severity,
    Shared,
    Tag,
    TagKind,
    Unknown,
    Value,
    accelerators,
    alternatives,
    backends,
    branches,
    chooses_device,
    contents,
    contradicts,
    depends_on_rank,
    devices,
    doubt_of_trainer,
    excludes,
    in_handler,
    in_process,
    is_absent,
    is_constant,
    is_current_device,
    is_launched_as_several,
    is_object,
    is_rank_guarded,
    is_repeatable,
    job,
    joins_gpus,
    may_see_own_device,
    module_children,
    objects,
    objects_in,
    parts_of,
    starts_others,
    tags_of,
    uses,
    with_fix,
)
from ddl_lint.rulekit.domain import FileName, RunFiles, State, may_be_among
from ddl_lint.rulekit.events import ConfigureStateDict, Delegate, Load, LoadState, Place, Save, SelectDevice, WrapModel
from ddl_lint_rules.data_and_model.load_without_map_location.fix import fix

_NOT_CALLED = "no code of this project calls the function that loads it"


def check(run: RunView) -> Iterable[Finding]:
    """One finding per load that does not say which GPU it means, or means the same one in every process."""
    if run.launch.with_one_device.has(run.run.path):
        return
    jobs = [*(init for init in run.groups() if _is_on_gpus(run, init)), *_trainers(run)]
    is_helper = not run.is_script and not jobs and not run.groups()
    for load in run.events(Load):
        job = next((start for start in jobs if in_process(start) is in_process(load)), None)
        if (job is None and not is_helper) or not _is_shared(run, load):
            continue
        if job is not None and excludes(job.context, load.context):
            continue
        message = _fault(run, load)
        target = _restored(run, load)
        if message is None or target is None:
            continue
        doubt = _NOT_CALLED if job is None else "" if job.kind == _GROUP else doubt_of_trainer(run, load)
        if doubt is None:
            continue
        evidence = (Evidence("the state is restored here", target.location),)
        confidence = Confidence.MEDIUM if doubt else None
        is_resumed = _is_resumed(run, load)
        if job is not None and job.kind != _GROUP and not is_resumed:
            continue  # weights from elsewhere may have been saved from the CPU
        names_gpu = not is_absent(load, "map_location")
        about = _About(
            job is None,
            FileName.of(load.path),
            any(isinstance(part, Setting) for part in contents(load.operands.get("path", NONE))),
            is_resumed or names_gpu,
        )
        finding = Finding(
            message,
            load.location,
            evidence,
            confidence=confidence,
            about=about,
            doubt=doubt,
            consequence="crash" if is_resumed else "wasted-work",
        )
        if job is not None and not _shows_several(run):
            finding = _as_hint(finding, "nothing shows that several processes with GPUs of their own load it")
        yield with_fix(finding, fix, run, load, target)


_GROUP = "init_process_group"
_CHOOSES_GPU = frozenset({"process_group", "device"})


@dataclass(frozen=True)
class _About:
    """What is to be known of a load beside it."""

    is_helper: bool
    """Whether no known job reaches it."""

    path: FileName | None
    is_option: bool
    """Whether an option of the program is a part of the path."""

    is_on_gpu: bool
    """Whether what is loaded comes to a GPU whoever has saved it: the call names one, or it is the state of a training,
    as an optimizer takes a part of it.
    """

    @property
    def is_named(self) -> bool:
        """Whether something of the name of the file is known."""
        return self.path is not None and (self.path.pattern is not None or self.path.written is not None)


@dataclass(frozen=True)
class _Job:
    """What a run says about its job."""

    is_on_gpus: bool
    """Whether several processes work on GPUs."""

    saves_from_cpu: bool
    files: RunFiles

    saves_from_gpu: frozenset[FileName | None]
    """Those that it saves with the state of a model that is on a GPU."""


def publish(run: RunView) -> Iterator[_Job]:
    """Whether the run works on several GPUs, and what it saves."""
    is_on_gpus = run.is_script and any(_is_on_gpus(run, init) for init in run.groups())
    saved = frozenset(FileName.of(save.path) for save in _from_gpu(run))
    job = _Job(is_on_gpus, _moves_what_it_saves(run), RunFiles.of(run), saved)
    if is_on_gpus or job.saves_from_cpu or job.files.saves or job.files.parts:
        yield job


def _from_gpu(run: RunView) -> Iterator[Save]:
    """The saves of the state of a model that the program has put on a GPU, or that is replicated among GPUs."""
    held = module_children(run)
    placed = {
        use.event: use.event.operands.get("object", NONE) for use in uses(run, "place") if accelerators(use.value)
    }
    wrapped = run.events(WrapModel) if any(joins_gpus(init, run.api) for init in run.groups()) else ()
    moved = [*placed.values(), *(value for wrap in wrapped for value in (wrap.model, wrap.result))]
    models = {part for value in moved for model in objects(value, "model") for part in parts_of(model, held)}
    for save in run.events(Save):
        states = objects_in(save.operands.get("object", NONE))
        if any(owner in models for state in states for owner in objects(State(state).model, "model")):
            yield save


def join(finding: Finding, shared: Shared[_Job]) -> Finding | None:
    """A checkpoint that the program saves from the CPU is loaded there, whatever function saves it, and most probably
    one that nothing in the project saves from a GPU. A helper without a caller counts where a job on several GPUs uses
    its file.
    """
    about = finding.about
    if not isinstance(about, _About):
        return finding
    if about.is_helper and not any(job.is_on_gpus for job in shared.file):
        return None
    # The program itself counts before those beside it.
    own = [*_writers(about.path, shared.program)]
    writers = own or [*_writers(about.path, shared.project)]
    if any(job.saves_from_cpu for job in (*shared.program, *writers)):
        return None
    if about.is_on_gpu and writers:
        return finding
    # A file that an option gives may be of the program itself; one of which less is known may be from elsewhere.
    likely = writers if about.is_named else own if about.is_option else []
    is_from_gpu = any(may_be_among(about.path, job.saves_from_gpu) for job in likely)
    return finding if is_from_gpu else _as_hint(finding, "nothing shows that its tensors were saved from a GPU")


def _as_hint(finding: Finding, reason: str) -> Finding:
    return replace(finding, severity=Severity.INFO, doubt=finding.doubt or reason)


def _shows_several(run: RunView) -> bool:
    """Whether it is known that several processes run the program, each on a GPU of its own choice."""
    is_started = is_launched_as_several(run) or starts_others(run)
    return is_started or run.has(SelectDevice) or run.provides("device")


def _writers(read: FileName | None, jobs: Iterable[_Job]) -> Iterator[_Job]:
    """The runs that may save what is loaded."""
    return (job for job in jobs if job.files.may_save(read))


def _trainers(run: RunView) -> Iterator[Delegate]:
    """What makes a job of several processes and gives each one its GPU, but starts none: all that the program loads is
    loaded by each of them.
    """
    for event in run.events(Delegate):
        is_on_cpu = is_constant(event.operands.get("on_cpu", Const(False)), True)
        if event.provides >= _CHOOSES_GPU and "launch" not in event.provides and not is_on_cpu:
            yield event


def _is_on_gpus(run: RunView, init: Event) -> bool:
    """Whether the processes of a group work on GPUs."""
    if backends(init):
        return joins_gpus(init, run.api)
    return any(accelerators(use.value) for use in uses(run, "place", "select_device"))


def _is_shared(run: RunView, load: Load) -> bool:
    """Whether every process loads the same file, sees the same GPU under the same number, and means one of its own."""
    return not (
        is_rank_guarded(load)
        or in_handler(load)
        or _is_of_one_rank(load.path)
        or any(
            contradicts(load.context, choice.context)
            for choice in run.events(SelectDevice)
            if in_process(choice) is in_process(load)
        )
        or _is_own(run, load)
        or may_see_own_device(run, in_process(load))
    )


def _is_own(run: RunView, load: Load) -> bool:
    """Whether a process loads what it has itself just saved, under a name that may be its own."""
    path = load.path
    if path is None or not _may_be_own(path):
        return False
    around = set(load.context.chain())
    return any(
        save.order < load.order
        and save.function is load.function
        and (save.path is path or (save.path == path and is_repeatable(path)))
        and around.issuperset(branches(save.context))
        for save in run.events(Save)
    )


def _may_be_own(path: Value) -> bool:
    """Whether something in a path is not known, and may be another thing in each process."""
    return any(isinstance(part, Unknown) for part in contents(path))


def _fault(run: RunView, load: Load) -> str | None:
    model = run.api.function(load.api)
    if model is None or "map_location" not in model.roles:
        return None
    if is_absent(load, "map_location"):
        return "without `map_location`, every process loads the checkpoint onto the GPU it was saved from"
    target = load.map_location
    if is_current_device(target):
        chosen = any(chooses_device(event) and event.order < load.order for event in run.events(SelectDevice))
        if chosen or run.provides("device"):
            return None
        return "`map_location` without an index loads onto GPU 0 in every process; no GPU is selected before"
    found = accelerators(target)
    if found and len(found) == len(devices(target)) and all(isinstance(device.index, Const) for device in found):
        return "a fixed GPU index in `map_location` loads the checkpoint onto one GPU in every process"
    return None


def _restored(run: RunView, load: Event) -> LoadState | None:
    """The place where a model or optimizer takes what was loaded; it tells a checkpoint from a data file."""
    return next((event for event in _takers(run, load) if not _takes_numbers(_target(event))), None)


def _is_resumed(run: RunView, load: Event) -> bool:
    """Whether an optimizer takes a part of what was loaded: then it is what a training has saved from its GPU."""
    return any(
        is_object(option, "optimizer") for event in _takers(run, load) for option in alternatives(_target(event))
    )


def _is_of_one_rank(path: Value | None) -> bool:
    """Whether ranks have files of their own; those that hold the same part of a model, `rank % 2`, share one."""
    if path is None or not depends_on_rank(path):
        return False
    names = Counter(Evaluator(process).residual(path) for process in job(1, _SEVERAL))
    return any(count == 1 for count in names.values())


_SEVERAL = 4


def _takers(run: RunView, load: Event) -> Iterator[LoadState]:
    for event in run.events(LoadState):
        state = event.state
        if state is not None and Tag.at(TagKind.LOADED, load.location) in tags_of(state):
            yield event


def _target(event: Event) -> Value:
    return event.operands.get("target", UNKNOWN)


def _takes_numbers(target: Value) -> bool:
    """Whether what takes a state, as far as it is known, has numbers in it only, such as the scale of a scaler."""
    known = [each for each in alternatives(target) if isinstance(each, Object)]
    return bool(known) and all(each.kind in ("scheduler", "scaler") for each in known)


def _moves_what_it_saves(run: RunView) -> bool:
    """Whether a run moves the state of a model to the CPU in a function that saves it, or has it put together there."""
    if any(is_constant(each.on_cpu, True) for each in run.events(ConfigureStateDict)):
        return True
    moved = [
        event
        for event in run.events(Place)
        if event.function is not None and {device.kind for device in devices(event.device)} == {"cpu"}
    ]
    return any(
        move.function is save.function and _may_be_saved(move.object, save.object)
        for save in run.events(Save)
        for move in moved
    )


def _may_be_saved(moved: Value | None, saved: Value | None) -> bool:
    """Whether what was moved may be the state that is saved: no data, and that state is not saved as it was."""
    if moved is None or saved is None or is_object(moved, "model"):
        return True
    if is_object(moved, "tensor") or tags_of(moved) & LOCAL_TAGS:
        return False
    return not any(is_object(State(state).model, "model") for state in objects_in(saved))
