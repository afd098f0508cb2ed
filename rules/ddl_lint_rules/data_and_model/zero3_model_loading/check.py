"""Finds models that are loaded whole although ZeRO-3 is to divide them, or in a way that it refuses."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    NONE,
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    Setting,
    Severity,
    Value,
    alternatives,
    excludes,
    in_handler,
    is_constant,
    objects,
    parts,
    undecided,
    under_launch,
)
from ddl_lint.rulekit.domain import Model
from ddl_lint.rulekit.events import Delegate, LoadPretrained, Prepare

_IGNORES_LEAN = "4.50"
"""The release of transformers from which on `low_cpu_mem_usage` has no effect."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call that loads a model."""
    selecting = [event for event in run.events(Delegate) if _divides(run, event)]
    if not run.is_script or not selecting:
        return
    reported: set[object] = set()
    for load in run.events(LoadPretrained):
        if load.location in reported or in_handler(load) or any(undecided(load)):
            continue
        possible = [event for event in selecting if not excludes(event.context, load.context)]
        before = next((event for event in possible if event.order < load.order), None)
        finding = None
        if before is not None:
            finding = _refused(run, load, before)
        elif possible and _is_trained(run, load):
            finding = Finding(
                "every process loads the whole model, because what selects ZeRO-3 is created after it",
                load.location,
                (Evidence("this selects ZeRO-3, which divides only what is loaded later", possible[0].location),),
                severity=Severity.WARNING,
                consequence="wasted-work",
            )
        if finding is not None:
            reported.add(load.location)
            yield finding


def _divides(run: RunView, event: Event) -> bool:
    made = objects(event.result)
    return bool(made) and all(run.traits(each).get("divides_loading") for each in made)


def _refused(run: RunView, load: LoadPretrained, before: Event) -> Finding | None:
    """What ZeRO-3 refuses of the way in which a model is loaded."""
    evidence = (Evidence("ZeRO-3 is selected here", before.location),)
    devices = under_launch(run, load.operands.get("devices", NONE))
    if "devices" not in load.unseen and not any(map(_may_be_none, alternatives(devices))):
        return Finding("ZeRO-3 refuses a model that `device_map` puts onto a device", load.location, evidence)
    versions = run.versions_of(run.run.path)
    if is_constant(load.lean, True) and versions.surely_before("transformers", _IGNORES_LEAN):
        return Finding("ZeRO-3 refuses a model that is loaded with `low_cpu_mem_usage`", load.location, evidence)
    return None


def _may_be_none(devices: Value) -> bool:
    """Whether there may be no `device_map`: it is none, or an option of which none is the default."""
    return devices == NONE or (isinstance(devices, Setting) and devices.default == NONE)


def _is_trained(run: RunView, load: Event) -> bool:
    """Whether a trainer gets the model that is loaded, or a wrapper of it."""
    made = load.result
    return isinstance(made, Object) and any(
        made in (part, Model(part).inner, part.given.get("model"))
        for event in run.events(Delegate, Prepare)
        for role in ("model", "object")
        for part in parts(event.operands.get(role, NONE))
        if isinstance(part, Object)
    )
