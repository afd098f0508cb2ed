"""Finds meshes whose names or size do not fit, names that a mesh lacks, and plans for parts that do not exist."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Apply,
    Const,
    Event,
    Evidence,
    Finding,
    Items,
    Object,
    RunView,
    Severity,
    Table,
    Value,
    launch_evidence,
    nearest,
    number_under_launch,
    objects,
    objects_in,
    parts,
    started_processes,
    undecided,
    with_fix,
    wrapped,
)
from ddl_lint.rulekit.events import InitMesh, NameMesh, RegisterModule, SliceMesh, WrapModel
from ddl_lint_rules.communication_setup.mesh_and_plan_literals.fix import fix_name, fix_names, fix_size


def check(run: RunView) -> Iterable[Finding]:
    """One finding per mesh, per name that is asked for, and per key of a plan."""
    lacking: set[Object] = set()
    for made in run.events(InitMesh):
        shape, names = _literals(made.shape), _literals(made.names)
        if shape is not None and names is not None and len(shape) != len(names):
            lacking.update(objects(made.result))
            message = f"the shape of the mesh has length {len(shape)}, but its names have length {len(names)}"
            yield with_fix(Finding(message, made.location), fix_names, run, made, _asked(run, made), names)
        elif shape is not None:
            yield from _misfit(run, made, shape)
    for asked in run.events(SliceMesh):
        yield from _unknown_names(run, asked, lacking)
    for wrap in run.events(WrapModel):
        yield from _unknown_parts(run, wrap)


def _literals(value: Value | None) -> list[Value] | None:
    """The elements of a sequence whose length is written in the code."""
    return list(value.items) if isinstance(value, Items) and not value.open else None


def _texts(value: Value | None) -> list[str] | None:
    items = [value] if isinstance(value, Const) else _literals(value)
    words = [item.value for item in items or () if isinstance(item, Const) and isinstance(item.value, str)]
    return words if items and len(words) == len(items) else None


def _misfit(run: RunView, made: Event, shape: list[Value]) -> Iterator[Finding]:
    """A mesh that is larger or smaller than the job that the launch files start."""
    sizes = [size for each in shape if (size := number_under_launch(run, each)) is not None]
    processes = started_processes(run)
    if len(sizes) == len(shape) and processes is not None and min(sizes) > 0 and math.prod(sizes) != processes:
        message = f"the mesh needs {math.prod(sizes)} processes, but the launch file starts {processes}"
        started = launch_evidence(run, f"{processes} processes are started here")
        finding = Finding(message, made.location, started, severity=Severity.WARNING)
        yield with_fix(finding, fix_size, run)


def _asked(run: RunView, made: Event) -> list[str]:
    """The names for which a mesh is asked, in order, each once."""
    found = [
        name
        for event in run.events(SliceMesh)
        if any(mesh in objects(made.result) for mesh in objects(event.mesh))
        for name in _texts(event.names) or ()
    ]
    return list(dict.fromkeys(found))


def _unknown_names(run: RunView, asked: SliceMesh, lacking: set[Object]) -> Iterator[Finding]:
    """Names that a mesh does not have."""
    meshes, wanted = objects(asked.mesh, "mesh"), _texts(asked.names)
    if len(meshes) != 1 or wanted is None or meshes[0] in lacking or run.heap.is_escaped(meshes[0]):
        return
    names = _texts(meshes[0].given.get("mesh_dim_names"))
    if names is None or run.has(NameMesh):
        return
    for name in wanted:
        if name not in names and not _is_tested(asked, name):
            finding = Finding(
                f"the mesh has no dimension `{name}`{nearest(name, names)}",
                asked.location,
                (Evidence(f"its dimensions are {', '.join(f'`{each}`' for each in names)}", meshes[0].location),),
            )
            yield with_fix(finding, fix_name, run, asked.location.path, _word(asked.operands["names"], name), names)


def _is_tested(asked: Event, name: str) -> bool:
    """Whether it is asked before which name it is, and the answer is unknown: it may well be that of another mesh."""
    tests = (part for node in undecided(asked) if node.value is not None for part in parts(node.value))
    return any(isinstance(test, Apply) and Const(name) in test.operands for test in tests)


def _word(value: Value, text: str) -> Const | None:
    """The literal of a string in a value."""
    items = value.items if isinstance(value, Items) else (value,)
    return next((item for item in items if isinstance(item, Const) and item.value == text), None)


def _unknown_parts(run: RunView, wrap: WrapModel) -> Iterator[Finding]:
    """Keys of a plan that name no part of the module that it is for."""
    plan = wrap.plan
    models = wrapped(wrap)
    if not isinstance(plan, Table) or not models:
        return
    for key, _ in plan.items:
        if not isinstance(key, Const) or not isinstance(key.value, str) or not key.value or "*" in key.value:
            continue
        missing = [_missing(run, model, key.value) for model in models]
        first = missing[0]
        if first is None or None in missing:
            continue
        name, known = first
        finding = Finding(
            f"`{key.value}` of the plan matches nothing: no submodule `{name}`{nearest(name, known)}",
            key.location or wrap.location,
            (Evidence("the plan is for this module", models[0].location),),
            severity=Severity.WARNING,
            consequence="wrong-result",
        )
        path = (key.location or wrap.location).path
        yield with_fix(finding, fix_name, run, path, key, known, name)


def _missing(run: RunView, model: Object, path: str) -> tuple[str, list[str]] | None:
    """The first word of a path that names no part of a module of the project, and the names that there are."""
    for word in path.split("."):
        if word.isdecimal():
            layers = [each for value in model.given.values() for each in objects_in(value) if each.kind == "model"]
            if not layers or model.definition is not None:
                return None
            model = layers[0]
            continue
        known = _parts(run, model)
        if known is None:
            return None
        if word not in known:
            return word, [name for name, held in known.items() if objects(held, "model")]
        inner = objects(known[word], "model")
        if len(inner) != 1:
            return None
        model = inner[0]
    return None


def _parts(run: RunView, model: Object) -> dict[str, Value] | None:
    """The attributes of a module of the project; None when there may be others."""
    if model.definition is None or run.heap.is_escaped(model):
        return None
    known = dict(run.heap.attributes(model))
    for event in run.events(RegisterModule):
        name, child = event.name, event.child
        if model in objects(event.module):
            if not isinstance(name, Const) or child is None:
                return None
            known[str(name.value)] = child
    return known if any(objects(held, "model") for held in known.values()) else None
