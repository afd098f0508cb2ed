"""Finds checkpoints that every process loads onto one and the same GPU."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    LOCAL_TAGS,
    Const,
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    Shared,
    Tag,
    TagKind,
    Value,
    accelerators,
    always,
    backends,
    chooses_device,
    contradicts,
    depends_on_rank,
    devices,
    excludes,
    hides_devices,
    in_handler,
    in_process,
    is_absent,
    is_current_device,
    is_object,
    is_rank_guarded,
    joins_gpus,
    objects_in,
    tags_of,
    uses,
    with_fix,
)
from ddl_lint_rules.data_and_model.load_without_map_location.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per load that does not say which GPU it means, or means the same one in every process."""
    if not run.is_script:
        return
    if run.launch.with_one_device.has(run.run.path):
        return
    groups = [init for init in run.groups() if _is_on_gpus(run, init)]
    for load in run.events("load"):
        group = next((init for init in groups if in_process(init) is in_process(load)), None)
        if group is None or excludes(group.context, load.context) or not _is_shared(run, load):
            continue
        message = _fault(run, load)
        target = _restored(run, load)
        if message is not None and target is not None:
            finding = Finding(message, load.location, (Evidence("the state is restored here", target.location),))
            yield with_fix(finding, fix, run, load, target)


def publish(run: RunView) -> Iterator[bool]:
    """Whether the run saves from the CPU."""
    if _moves_what_it_saves(run):
        yield True


def join(finding: Finding, shared: Shared[bool]) -> Finding | None:
    """A checkpoint that the program saves from the CPU is loaded there, whatever function saves it."""
    return None if any(shared.program) else finding


def _is_on_gpus(run: RunView, init: Event) -> bool:
    """Whether the processes of a group work on GPUs."""
    if backends(init):
        return joins_gpus(init, run.api)
    return any(accelerators(use.value) for use in uses(run, "place", "select_device"))


def _is_shared(run: RunView, load: Event) -> bool:
    """Whether every process loads the same file, sees the same GPU under the same number, and means one of its own."""
    return not (
        is_rank_guarded(load)
        or in_handler(load)
        or depends_on_rank(load.operands.get("path"))
        or any(
            contradicts(load.context, choice.context)
            for choice in run.events("select_device")
            if in_process(choice) is in_process(load)
        )
        or any(not isinstance(event.operands.get("value"), Const) for event in hides_devices(run, in_process(load)))
    )


def _fault(run: RunView, load: Event) -> str | None:
    model = run.api.function(load.api)
    if model is None or "map_location" not in model.roles:
        return None
    if is_absent(load, "map_location"):
        return "every process loads the checkpoint onto the GPU that it was saved from: no `map_location` is given"
    target = load.operands.get("map_location")
    if is_current_device(target):
        chosen = any(chooses_device(event) and event.order < load.order for event in run.events("select_device"))
        if chosen or run.provides("device"):
            return None
        return (
            "every process loads the checkpoint onto GPU 0: `map_location` has no index, and no GPU was chosen before"
        )
    found = accelerators(target)
    if found and len(found) == len(devices(target)) and all(isinstance(device.index, Const) for device in found):
        return "every process loads the checkpoint onto one and the same GPU: the index in `map_location` is a literal"
    return None


def _restored(run: RunView, load: Event) -> Event | None:
    """The place where a model or optimizer takes what was loaded; it tells a checkpoint from a data file."""
    for event in run.events("load_state"):
        state, target = event.operands.get("state"), event.operands.get("target")
        if target is not None and always(target, _holds_no_tensors):
            continue
        if state is not None and Tag.at(TagKind.LOADED, load.location) in tags_of(state):
            return event
    return None


def _holds_no_tensors(target: Value) -> bool:
    """Whether what takes a state has numbers in it only, such as the scale of a scaler."""
    return isinstance(target, Object) and target.kind in ("scheduler", "scaler")


def _moves_what_it_saves(run: RunView) -> bool:
    """Whether a run moves the state of a model to the CPU in a function that saves it."""
    moved = [
        event
        for event in run.events("place")
        if event.function is not None and {device.kind for device in devices(event.operands.get("device"))} == {"cpu"}
    ]
    return any(
        move.function is save.function and _may_be_saved(move.operands.get("object"), save.operands.get("object"))
        for save in run.events("save")
        for move in moved
    )


def _may_be_saved(moved: Value | None, saved: Value | None) -> bool:
    """Whether what was moved may be the state that is saved: no data, and that state is not saved as it was."""
    if moved is None or saved is None or is_object(moved, "model"):
        return True
    if is_object(moved, "tensor") or tags_of(moved) & LOCAL_TAGS:
        return False
    return not any(is_object(state.given.get("of"), "model") for state in objects_in(saved))
