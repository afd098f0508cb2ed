"""Finds boosted loaders that give each rank all of the data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import Evidence, Finding, Items, Object, RunView, Value, objects, result_name, shown, with_fix
from ddl_lint.rulekit.domain import Trained
from ddl_lint.rulekit.events import Prepare
from ddl_lint_rules.data_and_model.colossalai_unsharded_dataloader.fix import fix

_FRAMEWORK = "colossalai"


def check(run: RunView) -> Iterable[Finding]:
    """One finding per loader."""
    reported: set[Object] = set()
    for boost in run.events(Prepare):
        if run.api.framework(boost.api) != _FRAMEWORK or not isinstance(boost.result, Items):
            continue
        if any(made.traits.get("shards_stages") for made in _plugins(boost.result)):
            continue  # all ranks may hold parts of one model
        for loader in (each for item in boost.result.items for each in objects(item, "loader")):
            if loader not in reported and _is_undivided(loader) and not run.heap.is_escaped(loader):
                reported.add(loader)
                name = shown("this loader", result_name, run, loader.location)
                message = f"every rank reads all data of {name}, because `boost` does not shard a loader"
                finding = Finding(message, loader.location, (Evidence("it is boosted here", boost.location),))
                yield with_fix(finding, fix, run, loader, list(_plugins(boost.result)))


def _plugins(result: Items) -> Iterator[Object]:
    for item in result.items:
        for made in objects(item):
            for booster in objects(Trained(made).trainer):
                yield from objects(booster.given.get("plugin"), "strategy")


def _is_undivided(loader: Object) -> bool:
    given = loader.given
    whole = objects(given.get("dataset"), "dataset")
    return bool(whole) and not any(_is_given(given.get(name)) for name in ("sampler", "batch_sampler", "sharded"))


def _is_given(value: Value | None) -> bool:
    return value is not None and getattr(value, "value", value) is not None
