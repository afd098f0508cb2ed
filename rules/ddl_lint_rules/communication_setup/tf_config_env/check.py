"""Finds cluster configurations that TensorFlow does not see, or cannot read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from ddl_lint.rulekit import (
    Apply,
    Claim,
    Event,
    Evidence,
    Finding,
    RunView,
    Table,
    Value,
    follows,
    is_constant,
    strategies,
    with_fix,
)
from ddl_lint.rulekit.events import Delegate, SetEnvironment
from ddl_lint_rules.communication_setup.tf_config_env.cluster import Fault, decoded, fault_of, place_of
from ddl_lint_rules.communication_setup.tf_config_env.fix import set_first, write_json

_API = "tensorflow.distribute"


def check(run: RunView) -> Iterable[Finding]:
    """One finding per assignment."""
    told = [each for each in run.events(SetEnvironment) if is_constant(each.variable, "TF_CONFIG")]
    made = strategies(run, "configures_collectives") + strategies(run, "by_servers") if told else []
    for event in told:
        yield from _late(run, told, event, made)
        value = event.value
        if _is_spelled_by_python(value):
            message = Claim("`TF_CONFIG` must be JSON, and `str` of a dict is not; use `json.dumps`", "crash")
            yield with_fix(Finding(message, event.location), write_json, run, event, _API)
        elif isinstance(value, Table):
            finding = Finding(
                "`TF_CONFIG` must be a string, not a dict; use `json.dumps`", event.location, consequence="crash"
            )
            yield with_fix(finding, write_json, run, event, _API)
        else:
            yield from _faulty(run, event, decoded(value))


def _faulty(run: RunView, event: SetEnvironment, data: object) -> Iterator[Finding]:
    """What is wrong with the cluster, where the program writes it."""
    value = event.value
    fault = fault_of(data) or _of_another_kind(run, event, data)
    if fault is not None:
        place = place_of(value, fault.where) or event.location
        evidence = (Evidence("the variable is set here", event.location),) if place != event.location else ()
        reason = "which tasks there are, and where, is for you to say"
        yield Finding(fault.message, place, evidence, help=fault.advice, unfixable=reason)


def _of_another_kind(run: RunView, event: Event, data: object) -> Fault | None:
    """A cluster with servers, of which a strategy without them waits for an answer."""
    cluster = cast("dict[Any, Any]", data).get("cluster") if isinstance(data, dict) else None
    made = [each for each in strategies(run, "configures_collectives") if follows(event, each)]
    if isinstance(cluster, dict) and made and not strategies(run, "by_servers") and "ps" in cluster:
        message = Claim("this strategy has no parameter servers, but waits for the `ps` tasks of `TF_CONFIG`", "hang")
        return Fault(message, "Leave `ps` out of the cluster.", ("cluster", "ps", 0))
    return None


def _late(run: RunView, told: list[SetEnvironment], event: Event, made: list[Delegate]) -> Iterator[Finding]:
    for strategy in made:
        if follows(strategy, event) and not any(other.order < strategy.order for other in told):
            message = "the strategy has read `TF_CONFIG` already, so each worker trains alone"
            finding = Finding(message, event.location, (Evidence("the strategy is created here", strategy.location),))
            yield with_fix(finding, set_first, run, event, strategy)
            return


def _is_spelled_by_python(value: Value | None) -> bool:
    written = value.operands if isinstance(value, Apply) and value.operator == "text" else ()
    return any(isinstance(each, Table) for each in written)
