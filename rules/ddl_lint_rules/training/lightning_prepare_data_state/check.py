"""Finds attributes that one process of each node assigns while it prepares the data, and that all processes read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import ClassRef, Evidence, Finding, Object, RunView, kept_by, objects
from ddl_lint.rulekit.events import Delegate


def check(run: RunView) -> Iterable[Finding]:
    """One finding per attribute, where it is first read."""
    trainers = [made for event in run.events(Delegate) for made in objects(event.result, "trainer")]
    if not run.is_script or not trainers or any(trainer.traits.get("alone") for trainer in trainers):
        return
    reported: set[ClassRef] = set()
    for made in _prepared(run):
        method, owner = made.traits.get("prepared_by_one"), made.definition
        if not isinstance(method, str) or owner is None or owner in reported:
            continue
        reported.add(owner)
        for kept in kept_by(run, owner, method, str(made.traits.get("called_by_all") or "")):
            yield Finding(
                f"`{kept.name}` is assigned in `{method}`, which one process of each node calls, but `{kept.reader}` "
                "of every process reads it",
                kept.read,
                (
                    Evidence("it is assigned here", kept.assigned),
                    Evidence("the trainer starts the processes", trainers[0].location),
                ),
            )


def _prepared(run: RunView) -> Iterator[Object]:
    """What a trainer may prepare: the objects of the program that have a method for that."""
    for event in run.events(Delegate):
        yield from objects(event.result)
