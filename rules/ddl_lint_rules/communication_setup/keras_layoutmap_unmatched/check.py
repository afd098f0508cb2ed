"""Finds meshes of Keras that do not fit together, and layouts that no weight gets."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Claim,
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
    nearest,
    objects,
    with_fix,
)
from ddl_lint.rulekit.domain import most_elements
from ddl_lint.rulekit.events import Compile, Fit, LayOut, OpenScope
from ddl_lint_rules.communication_setup.keras_layoutmap_unmatched.fix import match_whole_path

_WHOLE_SINCE = "3.14"
"""The Keras from which on a key must match the whole path of a weight."""

_KEYWORDS_SINCE = "3.5"
"""The Keras from which on `ModelParallel` takes nothing by position."""

_WHICH = "which of the dimensions is meant is for you to say"

_OPENING = re.compile(r"\.[*+?]|\^|\(|\[|\\")
"""How a key begins that may match whatever comes before the name of a layer."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per mesh, per distribution, and per layout."""
    told: set[Object] = set()
    for event in run.events(OpenScope):
        for strategy in objects(event.strategy, "strategy"):
            yield from _by_position(run, strategy)
            for mesh in _meshes(strategy):
                if mesh not in told:
                    told.add(mesh)
                    yield from _misfit(mesh)
                names, batch = _literals(mesh.given.get("axis_names")), strategy.given.get("batch_dim_name")
                if names is None or not isinstance(batch, Const) or batch.value is None or batch.value in names:
                    continue
                near = nearest(str(batch.value), [str(name) for name in names])
                message = f"the mesh has no dimension `{batch.value}`, which is the batch dimension{near}"
                evidence = (Evidence("the mesh is created here", mesh.location),)
                yield Finding(message, strategy.location, evidence, unfixable=_WHICH)
    earlier: list[Event] = []
    for event in run.events(LayOut):
        yield from _unknown_axis(run, event)
        yield from _unmatched(run, event)
        yield from _matched_twice(event, earlier)
        earlier.append(event)


def _meshes(strategy: Object) -> Iterator[Object]:
    yield from objects(strategy.given.get("device_mesh"), "mesh")
    for layout in objects(strategy.given.get("layout_map")):
        yield from objects(layout.given.get("device_mesh"), "mesh")


def _by_position(run: RunView, strategy: Object) -> Iterator[Finding]:
    given = strategy.given.get("by_position")
    versions = run.versions_of(strategy.location.path)
    if isinstance(given, Items) and given.items and not versions.surely_before("keras", _KEYWORDS_SINCE):
        count = len(given.items)
        message = f"`ModelParallel` takes keywords only, and gets {count} positional arguments"
        yield Finding(message, strategy.location, unfixable="which keyword each of them is for is for you to say")


def _misfit(mesh: Object) -> Iterator[Finding]:
    names, sizes = (_literals(mesh.given.get(role)) for role in ("axis_names", "shape"))
    if names is not None and sizes is not None and len(names) != len(sizes):
        message = f"the shape of the mesh has length {len(sizes)}, but its names have length {len(names)}"
        yield Finding(message, mesh.location, unfixable=_WHICH)
        return
    count = most_elements(mesh.given.get("devices"))
    if sizes is None or count is None or not all(isinstance(size, int) for size in sizes):
        return
    wanted = math.prod(size for size in sizes if isinstance(size, int))
    if wanted != count:
        shape = " x ".join(map(str, sizes))
        message = f"the mesh is {shape}, which needs {wanted} devices; it gets {count}"
        yield Finding(message, mesh.location, unfixable=_WHICH)


def _unknown_axis(run: RunView, event: LayOut) -> Iterator[Finding]:
    """An axis that the mesh does not have, or along which the batch is divided."""
    for layouts in objects(event.layouts):
        for mesh in objects(layouts.given.get("device_mesh"), "mesh"):
            names = _literals(mesh.given.get("axis_names"))
            for axis in _axes(event.layout):
                if names is None or not isinstance(axis.value, str):
                    continue
                evidence = (Evidence("the mesh is created here", mesh.location),)
                if axis.value not in names:
                    near = nearest(axis.value, [str(name) for name in names])
                    message = f"the mesh has no dimension `{axis.value}`{near}"
                    yield Finding(message, axis.location or event.location, evidence, unfixable=_WHICH)
                    return
                if axis.value in _batch_dimensions(run, layouts) and len(names) > 1:
                    message = Claim(
                        f"`{axis.value}` divides the batch; weights along it are gathered in each step", "wasted-work"
                    )
                    place = axis.location or event.location
                    yield Finding(message, place, evidence, severity=Severity.WARNING, unfixable=_WHICH)
                    return


def _batch_dimensions(run: RunView, layouts: Object) -> set[object]:
    return {
        batch.value
        for event in run.events(OpenScope)
        for strategy in objects(event.strategy, "strategy")
        if layouts in objects(strategy.given.get("layout_map"))
        and isinstance(batch := strategy.given.get("batch_dim_name"), Const)
    }


def _unmatched(run: RunView, event: LayOut) -> Iterator[Finding]:
    """A key that begins with the name of a layer, while each path begins with that of the model."""
    key = event.pattern
    if not isinstance(key, Const) or not isinstance(key.value, str) or _OPENING.match(key.value):
        return
    if run.versions_of(event.location.path).surely_before("keras", _WHOLE_SINCE) or key.value.count("/") > 1:
        return
    names = [_name(model) for model in _trained(run)]
    if names and not any(name is None or key.value.startswith(name) for name in names):
        message = Claim(
            f"`{key.value}` matches no weight: a key must match the whole path, with the model's name", "wasted-work"
        )
        finding = Finding(message, key.location or event.location, severity=Severity.WARNING)
        yield with_fix(finding, match_whole_path, run, event, key.location or event.location)


def _trained(run: RunView) -> list[Object]:
    found = [model for fit in run.events(Fit, Compile) for model in objects(fit.model, "model")]
    return list(dict.fromkeys(found))


def _name(model: Object) -> str | None:
    """What the paths of the weights begin with; None where that is not known, as in a functional model."""
    if "inputs" in model.given:
        return None
    keywords = model.given.get("kwargs")
    named = model.given.get("name") or (_named(keywords) if isinstance(keywords, Table) else None)
    if named is not None:
        return named.value if isinstance(named, Const) and isinstance(named.value, str) else None
    if model.definition is not None:
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", model.definition.definition.name).lower()
    return "sequential" if "layers" in model.given or model.api == "keras.Sequential" else None


def _named(keywords: Table) -> Value | None:
    return next((value for key, value in keywords.items if key == Const("name")), None)


def _matched_twice(event: LayOut, earlier: list[Event]) -> Iterator[Finding]:
    """A key that matches whatever an earlier one matches, or the other way round."""
    key = event.pattern
    for other in earlier:
        before = other.operands.get("pattern")
        if other.operands.get("layouts") != event.layouts or not _are_texts(key, before):
            continue
        assert isinstance(key, Const)
        assert isinstance(before, Const)
        if _covers(key.value, before.value) or _covers(before.value, key.value):
            message = f"`{key.value}` and `{before.value}` match the same weights; each may match one key only"
            place = before.location or other.location
            evidence = (Evidence("the other key", place),)
            yield Finding(message, key.location or event.location, evidence, unfixable=_WHICH)
            return


def _are_texts(*values: Value | None) -> bool:
    return all(isinstance(value, Const) and isinstance(value.value, str) for value in values)


def _covers(pattern: str, other: str) -> bool:
    """Whether a pattern surely matches a path that another one matches."""
    path = re.sub(r"\.[*+]", "x", other)
    try:
        return re.fullmatch(r"[\w/-]+", path) is not None and re.fullmatch(pattern, path) is not None
    except re.error:
        return False


def _axes(layout: Value | None) -> Iterator[Const]:
    for made in objects(layout):
        layout = made.given.get("axes")
    for axis in layout.items if isinstance(layout, Items) else ():
        if isinstance(axis, Const):
            yield axis


def _literals(value: Value | None) -> list[object] | None:
    """The constants that a sequence consists of."""
    items = value.items if isinstance(value, Items) and not value.open else ()
    known = [item.value for item in items if isinstance(item, Const)]
    return known if known and len(known) == len(items) else None
