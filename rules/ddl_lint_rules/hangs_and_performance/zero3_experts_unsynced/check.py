"""Finds mixtures of experts under ZeRO-3 of which a process only runs the experts that its own batch has chosen."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from ddl_lint.rulekit import (
    NONE,
    Const,
    Event,
    Evidence,
    Finding,
    Location,
    Object,
    RunView,
    Versions,
    by_default,
    engines,
    excludes,
    in_handler,
    objects,
    read_data,
    undecided,
)
from ddl_lint.rulekit.events import Delegate, LoadPretrained

_LEAVES = frozenset({"set_z3_leaf_modules", "set_z3_leaf_module", "set_z3_leaf_modules_by_name"})

_KNOWS_LEAVES = "0.18"
"""The release of DeepSpeed from which on it knows the blocks with experts by itself."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per model that is loaded."""
    versions = run.versions_of(run.run.path)
    if not run.is_script or not versions.surely_before("deepspeed", _KNOWS_LEAVES):
        return
    if any(not _LEAVES.isdisjoint(module.words) for module in run.modules.values()):
        return
    for load in run.events(LoadPretrained):
        model = next(iter(objects(load.result)), None)
        if model is None or not _skips_experts(run, model, versions) or in_handler(load) or any(undecided(load)):
            continue
        place = _sharded_by(run, load, model)
        if place is not None:
            yield Finding(
                "ranks wait to gather experts that no token of another rank's batch has chosen",
                load.location,
                (Evidence("ZeRO-3 partitions the parameters of each expert by itself", place),),
            )


def _skips_experts(run: RunView, model: Object, versions: Versions) -> bool:
    """Whether the code of a published model, in the pinned release, leaves out experts without a token."""
    name = by_default(run, model.given.get("pretrained_model_name_or_path", NONE))
    if not isinstance(name, Const) or not isinstance(name.value, str):
        return False
    return any(
        versions.surely_from("transformers", first) and versions.surely_before("transformers", end)
        for family in _families()
        if re.search(family["name"], name.value.lower())
        for first, end in family["skips"]
    )


@cache
def _families() -> list[dict[str, Any]]:
    return read_data(Path(__file__).with_name("families.yaml"))


def _sharded_by(run: RunView, load: Event, model: Object) -> Location | None:
    """What selects ZeRO-3 for a model: the arguments of a trainer, or the engine that it is in."""
    for engine in engines(run):
        if engine.has("sharded") and engine.owns(model):
            return engine.wrap.location
    for event in run.events(Delegate):
        made = objects(event.result)
        divides = bool(made) and all(run.traits(each).get("divides_loading") for each in made)
        if divides and not excludes(event.context, load.context):
            return event.location
    return None
