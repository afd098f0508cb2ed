"""Finds data sets of one file that several workers are to divide by files."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Const, Evidence, Finding, Items, Object, RunView, Value, data_sources, objects, strategies

_OPEN = frozenset("*?[")


def check(run: RunView) -> Iterable[Finding]:
    """One finding per data set, where the files are named."""
    made = strategies(run, "configures_collectives")
    reported: set[Object] = set()
    for event in run.events("fit", "distribute_data") if made else ():
        for used in objects(event.operands.get("data"), "iterable_dataset"):
            chain = list(data_sources(used))
            root = chain[-1]
            if root in reported or any("options" in each.given or each.traits.get("shards_data") for each in chain):
                continue
            if root.traits.get("reads_files") and _is_one_file(root.given.get("filenames")):
                reported.add(root)
                message = "Crash: this dataset has one file, but each worker needs files of its own"
                yield Finding(message, root.location, (Evidence("the workers shard it here", event.location),))


def _is_one_file(value: Value | None) -> bool:
    if isinstance(value, Items):
        return not value.open and len(value.items) == 1 and _is_one_file(value.items[0])
    return isinstance(value, Const) and isinstance(value.value, str) and not _OPEN & set(value.value)
