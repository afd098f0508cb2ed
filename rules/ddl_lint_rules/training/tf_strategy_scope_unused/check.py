"""Finds strategies that replicate nothing."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Evidence, Finding, RunView, named, objects, result_name, shown, strategies


def check(run: RunView) -> Iterable[Finding]:
    """One finding per strategy."""
    fits = [event for event in run.events("fit") if objects(event.operands.get("model"), "model")]
    if not run.is_script or not fits or len(fits) < len(run.events("fit")) or run.has("init_process_group"):
        return
    for event in strategies(run):
        strategy = event.result
        used = any(
            strategy in objects(each.operands.get("strategy"), "strategy")
            for each in run.events("open_scope", "collective", "distribute_data")
        )
        if not used and strategy is not None and not any(run.heap.is_escaped(each) for each in objects(strategy)):
            name = shown("this strategy", result_name, run, event.location)
            message = f"Wasted work: no model is created in the scope of {name}, so one device does all the work"
            evidence = Evidence("training starts here, on one device", fits[0].location)
            scope = f"with {named('strategy', result_name, run, event.location)}.scope():"
            yield Finding(message, event.location, (evidence,), help=f"Create and compile the model in `{scope}`.")
