"""Finds cluster configurations that TensorFlow does not see, or cannot read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Apply,
    Event,
    Evidence,
    Finding,
    RunView,
    Table,
    Value,
    follows,
    is_constant,
    strategies,
)


def check(run: RunView) -> Iterable[Finding]:
    """One finding per assignment."""
    told = [each for each in run.events("set_environment") if is_constant(each.operands.get("variable"), "TF_CONFIG")]
    made = strategies(run, "configures_collectives") + strategies(run, "by_servers") if told else []
    for event in told:
        yield from _late(told, event, made)
        value = event.operands.get("value")
        if _is_spelled_by_python(value):
            message = "Crash: `TF_CONFIG` must be JSON, and `str` of a dict is not; use `json.dumps`"
            yield Finding(message, event.location)
        elif isinstance(value, Table):
            yield Finding("Crash: `TF_CONFIG` must be a string, not a dict; use `json.dumps`", event.location)


def _late(told: list[Event], event: Event, made: list[Event]) -> Iterator[Finding]:
    for strategy in made:
        if follows(strategy, event) and not any(other.order < strategy.order for other in told):
            message = "Wrong result: the strategy has read `TF_CONFIG` already, so each worker trains alone"
            yield Finding(message, event.location, (Evidence("the strategy is created here", strategy.location),))
            return


def _is_spelled_by_python(value: Value | None) -> bool:
    written = value.operands if isinstance(value, Apply) and value.operator == "text" else ()
    return any(isinstance(each, Table) for each in written)
