"""Finds DDP wrappers whose `device_ids` do not fit: the module is still on the CPU, or there are several devices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ddl_lint.rulekit import (
    NONE,
    Event,
    Evidence,
    Finding,
    Items,
    Object,
    RunView,
    Value,
    always,
    argument_text,
    devices,
    hides_devices,
    in_process,
    is_constant,
    is_object,
    match,
    module_children,
    objects,
    parts_of,
    shown,
    with_fix,
)
from ddl_lint.rulekit.domain import PROCESSES, Count, Model, quantity
from ddl_lint.rulekit.events import WrapModel
from ddl_lint_rules.training.ddp_device_ids_mismatch.fix import fix_devices, fix_module


def check(run: RunView) -> Iterable[Finding]:
    """One finding per wrapper."""
    for wrap in run.events(WrapModel):
        result, ids = wrap.result, wrap.device_ids
        if not isinstance(result, Object) or Model(result).wrapper != "ddp" or ids is None:
            continue
        hidden = any(True for _ in hides_devices(run, in_process(wrap)))
        if always(ids, lambda option, hidden=hidden: _is_several(option, hidden)):
            message = "`device_ids` lists several GPUs, but a DDP process drives exactly one"
            advice = "Pass the device of this process only, `device_ids=[local_rank]`."
            yield with_fix(Finding(message, wrap.location, help=advice), fix_devices, run, wrap)
        elif always(ids, _is_one):
            module = _module_on_cpu(run, wrap)
            if module is not None:
                model = shown("the module", argument_text, run, wrap, "model")
                message = f"`device_ids` says that {model} is on a GPU, but it is still on the CPU"
                evidence = Evidence("it is built on the CPU here, and not moved", module.location)
                advice = f"Move {model} to the GPU before wrapping it; for training on the CPU leave out `device_ids`."
                finding = Finding(message, wrap.location, (evidence,), help=advice)
                yield with_fix(finding, fix_module, run, wrap)


def _is_several(ids: Value, hidden: bool) -> bool:
    """Whether a list of devices surely has more than one element on a machine with several GPUs."""
    if isinstance(ids, Items):
        return len(ids.items) > 1
    source = match.listed(ids) or match.each_of(ids)
    if source is not None:
        return _is_several(source, hidden)
    count = quantity(match.range_to(ids))
    if count.integer is not None:
        return count.integer > 1
    return count.is_surely(*PROCESSES) or (count.is_surely(Count.DEVICES) and not hidden)


def _is_one(ids: Value) -> bool:
    return isinstance(ids, Items) and not ids.open and len(ids.items) == 1 and ids.items[0] != NONE


def _module_on_cpu(run: RunView, wrap: WrapModel) -> Object | None:
    """The module of a wrapper, when it surely has parameters on the CPU."""
    model = wrap.model
    if not is_object(model, "model"):
        return None
    held = module_children(run)
    modules = [_stays_on_cpu(run, wrap, module, held) for module in objects(model)]
    return modules[0] if all(modules) else None


def _stays_on_cpu(run: RunView, wrap: Event, module: Object, held: Mapping[Object, list[Object]]) -> Object | None:
    """A module, when it has parameters and nothing before the wrapper moves any of them. What makes one of a class that
    cannot be seen may put it on a GPU, or give one that is there.
    """
    if module.traits.get("unseen_class"):
        return None
    parts = parts_of(module, held)
    if not any(part.traits.get("parameters") for part in parts):
        return None
    for event in run.all_events:
        if event is wrap:
            return module
        if event.kind == "place":
            placed = objects(event.operands.get("object"))
            to_cpu = all(device.kind == "cpu" for device in devices(event.operands.get("device")))
            if not to_cpu and (not placed or any(parts & parts_of(item, held) for item in placed)):
                return None
        elif event.kind == "select_device":
            if is_constant(event.operands.get("factories"), True):
                return None
        elif event.kind in ("escape", "prepare") and any(parts & parts_of(item, held) for item in _operands(event)):
            return None
    return None


def _operands(event: Event) -> list[Object]:
    """The objects that an event is about, also those in its lists."""
    values = [
        item for value in event.operands.values() for item in (value.items if isinstance(value, Items) else (value,))
    ]
    return [held for value in values for held in objects(value)]
