"""Finds models that all workers save to one path."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Const,
    Evidence,
    Finding,
    Object,
    RunView,
    Severity,
    Table,
    Value,
    argument_text,
    follows,
    is_on_every_rank,
    may_differ,
    objects,
    reached_from,
    shown,
    strategies,
)
from ddl_lint.rulekit.events import Save

_OF_NODE = ("/tmp/", "/local/", "/scratch/")
"""Where each machine usually has a disk of its own."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per place."""
    made = strategies(run, "configures_collectives")
    for save in run.events(Save) if made else ():
        path = save.path or _directory(save)
        models = _models(save)
        if path is None or not models or may_differ(path) or not is_on_every_rank(save):
            continue
        if follows(made[0], save):
            text = shown("this path", argument_text, run, save, "path")
            message = f"all workers write {text} at the same time; each needs a path of its own"
            call = reached_from(save, made[0])
            called = (Evidence("called from here", call),) if call != save.location else ()
            evidence = (Evidence("the strategy is created here", made[0].location), *called)
            severity = Severity.INFO if _is_of_node(path) else None
            yield Finding(message, save.location, evidence, severity=severity)


def _directory(save: Save) -> Value | None:
    """The directory of what keeps several checkpoints."""
    return next((held.given["directory"] for held in objects(save.object) if "directory" in held.given), None)


def _models(save: Save) -> list[Object]:
    """The models that are saved: what is saved itself, or what a checkpoint is made of."""
    found: list[Object] = []
    for held in objects(save.object):
        found += [part for part in _parts(held) if part.kind == "model"]
    return found


def _parts(held: Object) -> Iterator[Object]:
    yield held
    for name in ("checkpoint", "root", "kwargs"):
        value = held.given.get(name)
        inside = [item for _, item in value.items] if isinstance(value, Table) else [value]
        for each in inside:
            for part in objects(each):
                yield from _parts(part) if part is not held else ()


def _is_of_node(path: Value) -> bool:
    """Whether a path may be on a disk of each machine: a relative one is in the folder in which a worker is started."""
    written = path.value if isinstance(path, Const) else None
    return isinstance(written, str) and (written.startswith(_OF_NODE) or not (written[:1] in "/~$" or ":" in written))
