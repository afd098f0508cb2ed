"""Finds workers of a TensorFlow 1 cluster that all act as chief, or wait for each other without an end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Const,
    Event,
    Evidence,
    Fact,
    Finding,
    Items,
    Object,
    RunView,
    Table,
    Value,
    branches,
    is_absent,
    is_constant,
    objects,
    objects_in,
    parts,
)


def check(run: RunView) -> Iterable[Finding]:
    """One finding per session, and per optimizer."""
    servers = {made: event for event in run.events("start_server") for made in objects(event.result)}
    for event in run.events("save"):
        server = next((servers[made] for made in _inside(event.operands.get("target")) if made in servers), None)
        if server is not None and _is_chief_everywhere(event) and _may_be_one_of_several(event, server):
            message = "Wrong result: every worker acts as chief; one that starts later resets the variables of all"
            yield Finding(message, event.location, (Evidence("the server starts here", server.location),))
    yield from _waiting(run)


def _inside(value: Value | None) -> Iterator[Object]:
    for part in parts(value) if value is not None else ():
        yield from objects_in(part)


def _is_chief_everywhere(event: Event) -> bool:
    return is_absent(event, "chief") or is_constant(event.operands.get("chief"), True)


def _may_be_one_of_several(event: Event, server: Event) -> bool:
    """Whether several workers open the session: nothing asks for their number, and there is more than one."""
    index = server.operands.get("index")
    if index is None or any(index in parts(node.value) for node in branches(event.context) if node.value is not None):
        return False
    cluster = server.operands.get("cluster")
    for spec in objects(cluster):
        cluster = spec.given.get("cluster")
    tasks = dict(cluster.items).get(Const("worker")) if isinstance(cluster, Table) else None
    return not (isinstance(tasks, Items) and not tasks.open and len(tasks.items) < 2)


def _waiting(run: RunView) -> Iterator[Finding]:
    steps = run.events("optimizer_step")
    for event in run.events("prepare"):
        for optimizer in objects(event.result, "optimizer"):
            mine = [step for step in steps if optimizer in objects(step.operands.get("optimizer"))]
            if not optimizer.traits.get("waits_for_tokens") or not mine:
                continue
            for step in mine:
                if is_absent(step, "counter"):
                    message = "Crash: the optimizer needs `global_step=` to tell which gradients are stale"
                    yield Finding(message, step.location, (Evidence("the optimizer is made here", event.location),))
            if not (run.exhausted or run.provides("first_tokens") or run.heap.get(optimizer, Fact.ESCAPED)):
                message = "Hang: no hook lets the workers into their first step; all wait for a token"
                yield Finding(message, event.location, (Evidence("each step waits for one", mine[0].location),))
