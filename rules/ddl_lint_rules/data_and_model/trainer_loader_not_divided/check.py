"""Finds loaders of a class of the project that a trainer gives to each rank as they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    RANK_TAGS,
    ClassRef,
    Const,
    Event,
    Evidence,
    Finding,
    Location,
    Object,
    RunView,
    Value,
    alternatives,
    code,
    contents,
    objects,
    tags_of,
    walk,
)
from ddl_lint.rulekit.domain import integer
from ddl_lint.rulekit.events import Delegate, Fit

_OF_RANKS = ("rank", "world", "distributed", "replica", "shard", "process", "partition", "split", "worker", "fabric")
"""What a name has in it where a class may divide what it reads."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per loader."""
    seen: set[code.Class] = set()
    for fit in run.events(Fit):
        trainer = _trainer(run, fit)
        if trainer is None:
            continue
        for loader in _loaders(fit):
            owner = loader.definition
            if owner is None or owner.definition in seen or not _reads_all(run, loader, owner):
                continue
            seen.add(owner.definition)
            yield _finding(owner.definition, loader.location, trainer)
        for made, place in _made_in_hooks(run):
            if made not in seen and _has_no_part(made):
                seen.add(made)
                yield _finding(made, place, trainer)


def _finding(made: code.Class, place: Location, trainer: Object) -> Finding:
    return Finding(
        f"every rank reads all of `{made.name}`: a trainer only divides a torch DataLoader",
        place,
        (Evidence("the trainer starts several processes", trainer.location),),
    )


def _trainer(run: RunView, fit: Event) -> Object | None:
    """The trainer, if it replaces samplers by itself and surely starts several processes, each with the whole model."""
    for event in run.events(Delegate):
        for trainer in objects(event.result, "trainer"):
            count = trainer.given.get("devices")
            strategy = trainer.given.get("strategy")
            is_parallel = isinstance(strategy, Const) and str(strategy.value).startswith(("ddp", "fsdp", "deepspeed"))
            several = (number := integer(count)) is not None and (number > 1 or number < 0)
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
    return _has_no_part(owner.definition)


def _has_no_part(made: code.Class) -> bool:
    """Whether the methods of a class that can be iterated over name nothing of other processes."""
    methods = [each for each in made.body if isinstance(each, code.Function)]
    return any(method.name == "__iter__" for method in methods) and not any(map(_names_ranks, methods))


def _names_ranks(function: code.Function) -> bool:
    return any(part in word.lower() for word in function.mentions for part in _OF_RANKS)


def _made_in_hooks(run: RunView) -> Iterator[tuple[code.Class, Location]]:
    """The classes without a base of which methods that a trainer asks for its loaders return an object, and where."""
    hooks = run.api.conventions.names.get("training_loaders", ())
    classes: dict[str, list[code.Class]] = defaultdict(list)
    for module in run.modules.values():
        for part in module.body:
            if isinstance(part, code.Class):
                classes[part.name].append(part)
    owners = {made.definition for event in run.events(Delegate) for made in objects(event.result)}
    for owner in owners:
        module = owner and next((each for each in run.modules.values() if each.name == owner.module), None)
        for function in owner.definition.body if owner is not None and module else ():
            if not isinstance(function, code.Function) or function.name not in hooks or _names_ranks(function):
                continue
            for node in (part for statement in function.body for part in walk(statement)):
                call = node.value if isinstance(node, code.Return) else None
                if isinstance(call, code.Call) and isinstance(call.func, code.Name):
                    found = classes.get(call.func.id, [])
                    if len(found) == 1 and not found[0].bases and module is not None:
                        yield found[0], Location(module.path, call.start, call.end)


def _depends_on_rank(value: Value) -> bool:
    return bool(tags_of(value) & RANK_TAGS)
