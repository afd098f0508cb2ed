"""Finds checkpoints with more in them than `torch.load` takes by default, and the loads that therefore fail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ddl_lint.rulekit import (
    NONE,
    Event,
    Evidence,
    Finding,
    Location,
    Object,
    RunView,
    Severity,
    Shared,
    Table,
    children,
    in_handler,
    objects,
)
from ddl_lint.rulekit.domain import FileName
from ddl_lint.rulekit.events import Load, Save

_SINCE = "2.6"
"""The release of torch from which on a load takes weights only, if nothing else is asked for."""

_AS_DICTS = frozenset({"vars", "__dict__"})
"""Names by which a program makes a dict of an object; which of its values are such dicts, the run does not tell."""

_KEPT_WHOLE = {
    "model": "whole module",
    "optimizer": "whole optimizer",
    "scheduler": "whole scheduler",
    "scaler": "whole scaler",
    "path": "`Path`",
    "generator_state": "state of NumPy's generator",
}
"""What objects of the libraries are, of which no other form than the object itself is in a file."""

_ALLOWING = frozenset({"add_safe_globals", "safe_globals", "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"})


@dataclass(frozen=True)
class _Kept:
    """Something in a file that is no tensor, number, string or dict."""

    path: FileName
    place: Location
    what: str


def check(run: RunView) -> Iterable[Finding]:
    """One finding per load; the join knows what the file holds."""
    if any(not _ALLOWING.isdisjoint(module.words) for module in run.modules.values()):
        return
    for load in run.events(Load):
        versions = run.versions_of(load.location.path)
        if versions.surely_before("torch", _SINCE) or in_handler(load) or not _takes_weights_only(load):
            continue
        path = FileName.of(load.path)
        if path is not None:
            sure = versions.surely_from("torch", _SINCE)
            yield Finding(
                "",
                load.location,
                severity=None if sure else Severity.INFO,
                about=path,
            )


def publish(run: RunView) -> Iterator[_Kept]:
    """What the run writes into files."""
    for save in run.events(Save):
        path = FileName.of(save.path)
        if path is not None and save.api == "torch.save":
            module = run.module_at(save.location.path)
            for what in _refused(save, is_dict=module is None or not _AS_DICTS.isdisjoint(module.words)):
                yield _Kept(path, save.location, what)
                break


def join(finding: Finding, shared: Shared[_Kept]) -> Finding | None:
    """What a program near the load writes into the file."""
    for kept in shared.program:
        if isinstance(finding.about, FileName) and kept.path.is_same(finding.about):
            return replace(
                finding,
                message=f"`torch.load` refuses the {kept.what} in this file, as it loads weights only by default",
                evidence=(Evidence(f"the {kept.what} is saved here", kept.place),),
                about=None,
            )
    return None


def _takes_weights_only(load: Event) -> bool:
    """Whether a load surely leaves the default as it is."""
    made = objects(load.result, "state_dict")
    return load.api == "torch.load" and bool(made) and not load.unseen and "weights_only" not in made[0].given


def _refused(save: Event, *, is_dict: bool) -> Iterator[str]:
    """What is in a file beside weights, as people call it; objects may have been made dicts."""
    value = save.operands.get("object", NONE)
    held = [item for _, item in value.items] if isinstance(value, Table) else [value]
    for item in (part for each in held for part in (each, *children(each))):
        if not isinstance(item, Object):
            continue
        if item.kind == "model" and item.definition is not None:
            yield f"module `{item.definition.definition.name}`"
        elif item.kind in _KEPT_WHOLE and item.definition is None:
            yield _KEPT_WHOLE[item.kind]
        elif is_dict:
            continue
        elif item.kind == "namespace" and "parser" in item.given:
            yield "Namespace"
        elif item.kind in ("namespace", "other") and item.definition is not None and not item.definition.bases:
            yield f"`{item.definition.definition.name}` object"
