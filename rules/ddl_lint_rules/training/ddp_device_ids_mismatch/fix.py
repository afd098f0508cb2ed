"""Moves the module to the device that was promised, or promises none; gives each process one device."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    File,
    Fix,
    Rank,
    RunView,
    Unfixable,
    argument_of,
    backends,
    code,
    devices,
    file_of,
    is_for_cpus,
    remove_argument,
    render_idiom,
    replace_expression,
    spelling_of,
    walk,
)
from ddl_lint.rulekit.events import InitProcessGroup, Place, SelectDevice

_PRIMARY = (code.Name, code.Attribute, code.Call, code.Subscript)


def fix_module(run: RunView, wrap: Event) -> Fix:
    """`DDP(model, device_ids=[i])` to `DDP(model.to(i), device_ids=[i])`; no `device_ids` where all is on the CPU."""
    file = file_of(run, wrap.location)
    call = file.node(wrap.location, code.Call)
    ids = _value(argument_of(run, wrap.api, call, "device_ids"))
    if ids is None:
        raise Unfixable("`device_ids` is not written in this call")
    if _stays_on_cpu(run):
        return _without_devices(run, file, wrap, call)
    model = _value(argument_of(run, wrap.api, call, "model"))
    if model is None:
        raise Unfixable("the module is not written in this call")
    device = _only_device(file, ids)
    said = file.source(model) if isinstance(model, _PRIMARY) else f"({file.source(model)})"
    moved = render_idiom(run, file.place(wrap.location), wrap.api, "move", object=said, device=device)
    return Fix(
        "Move the module to its device before wrapping it",
        (replace_expression(file, model, moved.text), *moved.imports),
        Applicability.SAFE,
    )


def fix_devices(run: RunView, wrap: Event) -> Fix:
    """`device_ids=list(range(n))` to `device_ids=[local_rank]`."""
    file = file_of(run, wrap.location)
    call = file.node(wrap.location, code.Call)
    ids = _value(argument_of(run, wrap.api, call, "device_ids"))
    if ids is None:
        raise Unfixable("`device_ids` is not written in this call")
    rank = spelling_of(run, Rank("local"), wrap)
    if rank is None:
        raise Unfixable("no variable holds the local rank here")
    return Fix(
        "Pass only the device of the local rank",
        (replace_expression(file, ids, f"[{rank}]"),),
        Applicability.UNSAFE,
        "assumes that the process should use the GPU of its local rank",
    )


def _without_devices(run: RunView, file: File, wrap: Event, call: code.Call) -> Fix:
    """The call without what it says of devices. What follows by its place would move up, so that must be named."""
    given = [argument_of(run, wrap.api, call, role) for role in ("device_ids", "output_device")]
    gone = [each for each in given if each is not None]
    kept = [each for each in call.args if each not in gone]
    if any(each.start > other.start for each in kept for other in gone if not isinstance(other, code.Keyword)):
        raise Unfixable("other arguments are passed by position after `device_ids`")
    return Fix(
        "Remove device_ids, because training is on the CPU",
        tuple(remove_argument(file, call, each) for each in gone),
        Applicability.SAFE,
    )


def _value(argument: code.Keyword | code.Expression | None) -> code.Expression | None:
    return argument.value if isinstance(argument, code.Keyword) else argument


def _only_device(file: File, ids: code.Expression) -> str:
    """How the one device is written."""
    if isinstance(ids, code.Display) and len(ids.items) == 1 and not isinstance(ids.items[0], code.Starred):
        device = ids.items[0]
        if "\n" in file.source(device) or any(isinstance(node, code.Walrus) for node in walk(device)):
            raise Unfixable("the device expression cannot be repeated")
        return file.source(device)
    if isinstance(ids, (code.Name, code.Attribute)):
        return f"{file.source(ids)}[0]"
    raise Unfixable("the device expression cannot be repeated")


def _stays_on_cpu(run: RunView) -> bool:
    """Whether the program works on the CPU: its group is one for CPUs, and nothing is moved to a GPU."""
    groups = run.events(InitProcessGroup)
    on_cpu = bool(groups) and all(
        backends(event) and all(is_for_cpus(name, run.api) for name in backends(event)) for event in groups
    )
    places = (device for event in run.events(Place) for device in devices(event.device))
    return on_cpu and not run.has(SelectDevice) and all(device.kind == "cpu" for device in places)
