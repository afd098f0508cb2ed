"""Makes a tensor on the GPU of its process, or leaves it there."""

from __future__ import annotations

from collections.abc import Sequence

from ddl_lint.rulekit import (
    NONE,
    Applicability,
    CallStep,
    Edit,
    Event,
    File,
    Fix,
    Object,
    Place,
    Rank,
    RunView,
    Unfixable,
    chooses_device,
    code,
    file_of,
    keyword,
    render_idiom,
    set_keyword,
    spelled_at,
    way,
)
from ddl_lint.rulekit.events import SelectDevice

_DEVICE = "device"


def fix(run: RunView, event: Event, sources: Sequence[Object]) -> Fix:
    """The GPU as the device of the calls that make the tensor; a move to the CPU taken away."""
    step = way(run, event)[-1]
    edits = [edit for source in sources for edit in _at_source(run, event, source, step)]
    taken = any("moved" in source.given for source in sources)
    near = all(file_of(run, each.location).place(each.location).function is step.function for each in sources)
    doubt = "" if near else "The function that creates the tensor may have other callers"
    if taken:
        doubt = "Other code may need this tensor on the CPU"
    return Fix(
        "Remove the move to the CPU" if taken else "Create the tensor on the GPU of its process",
        tuple(dict.fromkeys(edits)),
        Applicability.UNSAFE if doubt else Applicability.SAFE,
        doubt,
    )


def _at_source(run: RunView, event: Event, source: Object, step: CallStep) -> tuple[Edit, ...]:
    file = file_of(run, source.location)
    call = file.node(source.location, code.Call)
    if "moved" in source.given:
        return (_without_move(file, call),)
    text, imports = _device(run, event, file.place(source.location), step)
    if source.given[_DEVICE] == NONE or keyword(call, _DEVICE) is not None:
        return (*imports, set_keyword(file, call, _DEVICE, text))
    return (*imports, file.edit(call.end, call.end, f".to({text})"))  # a call that cannot be given a device


def _device(run: RunView, event: Event, place: Place, step: CallStep) -> tuple[str, tuple[Edit, ...]]:
    """How the program writes the GPU of the process: its current one, if it has chosen one."""
    if not any(map(chooses_device, run.events(SelectDevice))) and place.function is step.function:
        rank = spelled_at(run, Rank("local"), event, step, place)
        if rank is not None:
            wording = render_idiom(run, place, event.api, "device_of_index", index=rank.text)
            return wording.text, wording.imports
    return place.file.string("cuda"), ()


def _without_move(file: File, call: code.Call) -> Edit:
    """`loss.cpu()` without the call at its end."""
    if not isinstance(call.func, code.Attribute):
        raise Unfixable("the move to the CPU is not written as a method of the tensor")
    return file.edit(call.func.value.end, call.end, "")
