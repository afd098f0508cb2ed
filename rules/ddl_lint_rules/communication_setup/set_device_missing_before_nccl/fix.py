"""Lets each process choose its own GPU before the group is created, or before the first use of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ddl_lint.rulekit import (
    LOCAL_RANK,
    Applicability,
    CallStep,
    DeviceUse,
    Event,
    Fix,
    Place,
    Rank,
    RunView,
    Spelling,
    Unfixable,
    accelerators,
    around,
    backends,
    bring_forward,
    code,
    devices,
    in_process,
    insert_before,
    is_only_for_gpus,
    meeting,
    mentions_flag,
    mentions_of,
    render_idiom,
    spelled_at,
    tags_of,
    undecided,
    uses,
    walk,
    way,
)

_TITLE = "Call torch.cuda.set_device first"
_LOCAL = Rank("local")


def fix(run: RunView, init: Event, use: DeviceUse, chosen: Sequence[Event]) -> Fix:
    """The later choice of a GPU brought forward; where there is none, a new one by the local rank."""
    reason = "cannot tell which variable holds the index of the started process"
    if chosen:
        try:
            return _bring_forward(run, init, use.event, chosen[0])
        except Unfixable as failure:
            reason = str(failure)
    for event, step, place in _places(run, init, use.event):
        known = spelled_at(run, _LOCAL, event, step, place)
        if known is not None and not _is_called(run, step):
            return _choose(run, init, use, place, known)
    if chosen or in_process(init) is not None:
        raise Unfixable(reason)
    found = next(_places(run, init, use.event), None)
    if found is None:
        raise Unfixable("no place comes before both the process group and the first use of the GPU")
    _, step, place = found
    rank = render_idiom(run, place, init.api, "local_rank")
    wording = render_idiom(run, place, init.api, _idiom(run, init, use), index=rank.text)
    edits = dict.fromkeys((*rank.imports, *wording.imports, *insert_before(place, wording.text)))
    return Fix(
        _TITLE,
        tuple(edits),
        Applicability.UNSAFE,
        "It needs a launcher that sets the local rank",
    )


def _bring_forward(run: RunView, init: Event, use: Event, chosen: Event) -> Fix:
    shared = meeting(way(run, use), way(run, chosen))
    if shared is None or shared[1].location != chosen.location:
        raise Unfixable("the GPU is selected later, in a function that does more than that")
    targets = (init, use) if init.order < use.order else (use,)
    reasons: list[str] = []
    for target in targets:
        try:
            edits = bring_forward(run, chosen, target)
        except Unfixable as reason:
            reasons.append(str(reason))
        else:
            return Fix(
                _TITLE,
                edits,
                Applicability.UNSAFE,
                "The code in between may prepare the selection",
            )
    raise Unfixable(f"the GPU is selected later, and that cannot be moved: {reasons[-1]}")


def _choose(run: RunView, init: Event, use: DeviceUse, place: Place, known: Spelling) -> Fix:
    wording = render_idiom(run, place, init.api, _idiom(run, init, use), index=known.text)
    edits = (*wording.imports, *insert_before(place, wording.text))
    if isinstance(known.value, Rank) and known.value.source in ("environment", "api", "spawn") and _sees_all(run, init):
        return Fix(_TITLE, edits, Applicability.SAFE)
    return Fix(
        _TITLE,
        edits,
        Applicability.UNSAFE,
        f"`{known.text}` is out of range if each process sees one GPU only",
    )


def _is_called(run: RunView, step: CallStep) -> bool:
    """Whether a function that is started in processes is called by itself, too, where the index may be anything."""
    if step.function is None or step.entry.kind == "call":
        return False
    mentioned = {id(node) for _, node in mentions_of(run, step.location, step.function)}
    return any(
        isinstance(node, code.Call) and id(node.func) in mentioned
        for module in run.users(step.location).values()
        for node in walk(*module.body)
    )


def _sees_all(run: RunView, init: Event) -> bool:
    """Whether a process surely sees the GPUs of the others: it counts them elsewhere, or the program starts it."""
    if in_process(init) is not None:
        return True
    named = [device for use in uses(run) for device in accelerators(use.value)]
    return any(device.index is not None and LOCAL_RANK in tags_of(device.index) for device in named)


def _idiom(run: RunView, init: Event, use: DeviceUse) -> str:
    """How to choose: on a machine without GPUs the program may do without."""
    needs_gpu = all(is_only_for_gpus(backend, run.api) for backend in backends(init)) or (
        use.event.kind == "place"
        and all(device.is_accelerator for device in devices(use.value))
        and not any(node.value is not None and mentions_flag(node.value, "cuda") for node in undecided(use.event))
    )
    return "select_device" if needs_gpu else "select_device_if_any"


# --- where it goes ----------------------------------------------------------------------------------------------------


def _places(run: RunView, init: Event, use: Event) -> Iterator[tuple[Event, CallStep, Place]]:
    """Where a choice would come in time: before the group, from the inside out, else before the first use."""
    to_use = way(run, use)
    if init.order < use.order:
        for step in reversed(way(run, init)):
            if not any(node.kind in ("loop", "handler") for node in step.circumstances):
                yield init, step, step.place
    shared = meeting(way(run, init), to_use)
    if shared is None:
        return
    first = to_use.index(shared[1])
    for step in to_use[first:]:
        if any(node.kind in ("loop", "handler") for node in step.circumstances):
            place = around(step.place)[0]
            yield use, step, place
            return
        yield use, step, step.place
