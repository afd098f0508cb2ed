"""Finds meshes of Keras that do not fit together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import Const, Evidence, Finding, Items, Object, RunView, Value, nearest, objects


def check(run: RunView) -> Iterable[Finding]:
    """One finding per mesh, and per distribution."""
    told: set[Object] = set()
    for event in run.events("open_scope"):
        for strategy in objects(event.operands.get("strategy"), "strategy"):
            for layout in objects(strategy.given.get("layout_map")):
                for mesh in objects(layout.given.get("device_mesh"), "mesh"):
                    if mesh not in told:
                        told.add(mesh)
                        yield from _misfit(mesh)
                    names, batch = _literals(mesh.given.get("axis_names")), strategy.given.get("batch_dim_name")
                    if names is None or not isinstance(batch, Const) or batch.value is None or batch.value in names:
                        continue
                    near = nearest(str(batch.value), [str(name) for name in names])
                    message = f"Crash: the mesh has no dimension `{batch.value}`, which is the batch dimension{near}"
                    yield Finding(message, strategy.location, (Evidence("the mesh is created here", mesh.location),))


def _misfit(mesh: Object) -> Iterator[Finding]:
    names, sizes = (_literals(mesh.given.get(role)) for role in ("axis_names", "shape"))
    if names is not None and sizes is not None and len(names) != len(sizes):
        message = f"Crash: the shape of the mesh has length {len(sizes)}, but its names have length {len(names)}"
        yield Finding(message, mesh.location)


def _literals(value: Value | None) -> list[object] | None:
    """The constants that a sequence consists of."""
    items = value.items if isinstance(value, Items) and not value.open else ()
    known = [item.value for item in items if isinstance(item, Const)]
    return known if known and len(known) == len(items) else None
