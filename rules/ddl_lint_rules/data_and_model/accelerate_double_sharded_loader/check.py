"""Finds loaders whose data are divided among the ranks twice: by the program, and by the trainer that prepares them."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Evidence,
    Finding,
    Object,
    RunView,
    always,
    counts_by_rank,
    is_constant,
    is_divided,
    objects,
    objects_under,
    with_fix,
)
from ddl_lint_rules.data_and_model.accelerate_double_sharded_loader.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per loader, where it is made."""
    reported: set[Object] = set()
    for event in run.events("prepare"):
        if not is_constant(event.operands.get("divides"), True):
            continue
        for loader in objects_under(event.operands.get("object"), event.context):
            divided = is_divided(loader, run.heap) or always(loader.given.get("dataset"), counts_by_rank)
            if loader.kind == "loader" and divided and loader not in reported:
                reported.add(loader)
                samplers = objects(loader.given.get("sampler"), "sampler")
                finding = Finding(
                    "the data are divided among the ranks twice: most of them are never seen",
                    loader.location,
                    (
                        *(Evidence("the program divides them here", sampler.location) for sampler in samplers),
                        Evidence("and `prepare` does so once more here", event.location),
                    ),
                )
                yield with_fix(finding, fix, run, loader)
