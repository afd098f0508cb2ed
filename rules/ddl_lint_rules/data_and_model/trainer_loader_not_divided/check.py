"""Finds loaders of a class of the project that a trainer gives to each rank as they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    RANK_TAGS,
    ClassRef,
    Const,
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    Value,
    alternatives,
    code,
    contents,
    objects,
    tags_of,
)

_OF_RANKS = ("rank", "world", "distributed", "replica", "shard", "process", "partition", "split", "worker", "fabric")
"""What a name has in it where a class may divide what it reads."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per loader."""
    seen: set[ClassRef] = set()
    for fit in run.events("fit"):
        trainer = _trainer(run, fit)
        if trainer is None:
            continue
        for loader in _loaders(fit):
            owner = loader.definition
            if owner is None or owner in seen or not _reads_all(run, loader, owner):
                continue
            seen.add(owner)
            yield Finding(
                f"every rank reads all of `{owner.definition.name}`: a trainer only divides a torch DataLoader",
                loader.location,
                (Evidence("the trainer starts several processes", trainer.location),),
            )


def _trainer(run: RunView, fit: Event) -> Object | None:
    """The trainer, if it replaces samplers by itself and surely starts several processes, each with the whole model."""
    for event in run.events("delegate"):
        for trainer in objects(event.result, "trainer"):
            count = trainer.given.get("devices")
            strategy = trainer.given.get("strategy")
            is_parallel = isinstance(strategy, Const) and str(strategy.value).startswith(("ddp", "fsdp", "deepspeed"))
            several = isinstance(count, Const) and isinstance(count.value, int) and (count.value > 1 or count.value < 0)
            if (fit.api or "").startswith(f"{trainer.api}.") and is_parallel and several:
                return trainer
    return None


def _loaders(fit: Event) -> Iterator[Object]:
    for role in ("data", "made_data"):
        for value in alternatives(fit.operands.get(role, Const(None))):
            yield from objects(value, "other")


def _reads_all(run: RunView, loader: Object, owner: ClassRef) -> bool:
    """Whether a loader is a class of the project alone, which surely knows nothing of other processes."""
    if owner.bases or any(_depends_on_rank(value) for value in contents(loader, run.heap)):
        return False
    methods = [each for each in owner.definition.body if isinstance(each, code.Function)]
    divided = any(part in word.lower() for method in methods for word in method.mentions for part in _OF_RANKS)
    return any(method.name == "__iter__" for method in methods) and not divided


def _depends_on_rank(value: Value) -> bool:
    return bool(tags_of(value) & RANK_TAGS)
