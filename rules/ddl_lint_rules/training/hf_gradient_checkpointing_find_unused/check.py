"""Finds reentrant recomputation under a wrapper that looks for parameters without a gradient."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import Event, Evidence, Finding, RunView, contradicts, excludes, is_constant, objects, with_fix
from ddl_lint_rules.training.hf_gradient_checkpointing_find_unused.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per wrapper, or settings of it."""
    if not run.is_script:
        return
    places = list(_recomputing(run))
    for event in _searching(run):
        recomputing = next((place for place in places if _happens_beside(place, event)), None)
        if recomputing is None:
            continue
        if event.kind == "wrap_model" and is_constant(recomputing.operands.get("reentrant"), True):
            continue  # `ddp-backward-outside-reducer` reports it at the checkpoint
        evidence = (Evidence("reentrant checkpointing is switched on here", recomputing.location),)
        finding = Finding(
            "DDP marks parameters ready twice, as unused and in the reentrant checkpoint's backward",
            event.location,
            () if recomputing is event else evidence,
        )
        yield with_fix(finding, fix, run, recomputing)


def _happens_beside(recomputing: Event, searching: Event) -> bool:
    """Whether one process may come to both places."""
    return not contradicts(recomputing.context, searching.context) and not excludes(
        recomputing.context, searching.context
    )


def _recomputing(run: RunView) -> Iterator[Event]:
    """Where a reentrant recomputation is made or asked for."""
    for event in run.events("recompute", "delegate"):
        if any(made.traits.get("recomputes_reentrant") for made in objects(event.result)):
            yield event


def _searching(run: RunView) -> Iterator[Event]:
    """Where wrappers are asked to search for parameters without a gradient."""
    for event in run.events("delegate"):
        if any(made.traits.get("finds_unused") for made in objects(event.result)):
            yield event
    for event in run.events("wrap_model"):
        searches = is_constant(event.operands.get("find_unused_parameters"), True)
        if searches and not is_constant(event.operands.get("static_graph"), True):
            yield event
