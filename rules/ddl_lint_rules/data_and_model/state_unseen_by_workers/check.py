"""Finds data sets that are changed between epochs, although workers that live on keep the copy that they began with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from ddl_lint.rulekit import (
    Apply,
    Context,
    Event,
    Evidence,
    Finding,
    Location,
    Object,
    RunView,
    Unknown,
    by_default,
    code,
    is_constant,
    is_read_by,
    loops,
    methods_assigning,
    objects,
    walk,
)
from ddl_lint.rulekit.domain import Loader
from ddl_lint.rulekit.events import BuildLoader, Iterate

_READERS = ("__iter__", "__getitem__", "__getitems__")


def check(run: RunView) -> Iterable[Finding]:
    """One finding per place that changes a data set in a loop over epochs."""
    built = {made: event for event in run.events(BuildLoader) for made in objects(event.result, "loader")}
    seen: set[Location] = set()
    for event in run.events(Iterate):
        around = loops(event.context)
        for loader in objects(event.iterable, "loader") if around else ():
            build = built.get(loader)
            if build is None or around[0] in build.context.chain() or not _lives_on(run, loader):
                continue
            for data in objects(Loader(loader).dataset):
                for name, place in _changed(run, data, around[0]):
                    if place not in seen:
                        seen.add(place)
                        yield _finding(name, place, build)


def _finding(name: str, place: Location, build: Event) -> Finding:
    return Finding(
        f"the workers keep the copy of the data set that they began with, so they never see this `{name}`",
        place,
        (Evidence("`persistent_workers=True` lets them live on after the first epoch", build.location),),
    )


def _lives_on(run: RunView, loader: Object) -> bool:
    """Whether a loader has workers that surely stay after an epoch."""
    persistent, number = (loader.given.get(name) for name in ("persistent_workers", "num_workers"))
    if persistent is None or number is None:
        return False
    count = by_default(run, number)
    return is_constant(by_default(run, persistent), True) and not is_constant(count, 0)


def _changed(run: RunView, data: Object, loop: Context) -> Iterator[tuple[str, Location]]:
    """The attributes of a data set that get the number of the epoch and that its workers read, and where."""
    if data.definition is None:
        return
    for name, value in run.heap.attributes(data).items():
        if not isinstance(name, str) or not _is_element(value, loop) or not is_read_by(data.definition, _READERS, name):
            continue
        place = _assignment(run, data, loop, name)
        if place is not None:
            yield name, place


def _is_element(value: object, loop: Context) -> bool:
    """Whether a value is what a loop goes over, or what the iteration before has left in a variable."""
    if isinstance(value, Unknown) and not isinstance(value.origin, Location) and isinstance(value.origin, tuple):
        origin = cast("tuple[object, ...]", value.origin)  # pyright: ignore[reportUnknownMemberType]
        return origin[:3] == ("loop", loop.location.path, loop.location.start)
    return isinstance(value, Apply) and value.operator == "element" and value.operands[0] == loop.value


def _assignment(run: RunView, data: Object, loop: Context, name: str) -> Location | None:
    """Where the body of a loop sets an attribute of a data set, or calls a method of it that does so."""
    module = run.module_at(loop.location.path)
    setters = methods_assigning(data.definition, name) if data.definition is not None else frozenset[str]()
    statements = module.body if module is not None else ()
    found = (node for each in statements for node in walk(each) if isinstance(node, (code.For, code.While)))
    body = next((node.body for node in found if node.start == loop.location.start), ())
    for statement in body:
        for inner in walk(statement):
            if isinstance(inner, code.Assign):
                if any(isinstance(each, code.Attribute) and each.attr == name for each in inner.targets):
                    return Location(loop.location.path, inner.start, inner.end)
            elif isinstance(inner, code.Call) and isinstance(inner.func, code.Attribute) and inner.func.attr in setters:
                return Location(loop.location.path, inner.start, inner.end)
    return None
