"""Finds workers of a TensorFlow 1 cluster that all act as chief, or wait for each other without an end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ddl_lint.rulekit import (
    NONE,
    Claim,
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
    called_name,
    is_absent,
    is_constant,
    named,
    objects,
    objects_in,
    parts,
    result_name,
    with_fix,
)
from ddl_lint.rulekit.domain import integer
from ddl_lint.rulekit.events import Delegate, OptimizerStep, Prepare, Save, StartServer, UseAllDevices
from ddl_lint_rules.training.tf1_chief_and_sync.fix import add_hook, name_chief


def check(run: RunView) -> Iterable[Finding]:
    """One finding per session, and per optimizer."""
    servers = {made: event for event in run.events(StartServer) for made in objects(event.result)}
    for event in run.events(Save, UseAllDevices):
        server = next((servers[made] for made in _inside(event.target) if made in servers), None)
        choice = _choice_of_chief(run, event)
        if (
            server is not None
            and choice is not None
            and _is_chief_everywhere(choice)
            and all(_may_be_one_of_several(each, server) for each in (event, choice))
        ):
            message = Claim(
                "every worker acts as chief; one that starts late resets the variables of all", "wrong-result"
            )
            evidence = (Evidence("the server starts here", server.location),)
            advice = f"Pass `is_chief=(task_index == 0)` to the {'session' if choice is event else 'supervisor'}."
            finding = Finding(message, choice.location, evidence, help=advice)
            yield with_fix(finding, name_chief, run, choice, server)
    yield from _waiting(run)


def _inside(value: Value | None) -> Iterator[Object]:
    for part in parts(value) if value is not None else ():
        yield from objects_in(part)


def _choice_of_chief(run: RunView, event: Save | UseAllDevices) -> Save | Delegate | None:
    """Where it is said who is the chief of a session: at its call, or where its supervisor is made."""
    if isinstance(event, Save):
        return event
    by = objects(event.by)
    return next((each for each in run.events(Delegate) if by and each.result == by[0]), None)


def _is_chief_everywhere(event: Save | Delegate) -> bool:
    return is_absent(event, "chief") or is_constant(event.chief, True)


def _may_be_one_of_several(event: Event, server: StartServer) -> bool:
    """Whether several workers open the session: nothing asks for their number, and there is more than one."""
    index = server.index
    if index is None or any(index in parts(node.value) for node in branches(event.context) if node.value is not None):
        return False
    tasks = _workers(server)
    return not (isinstance(tasks, Items) and not tasks.open and len(tasks.items) < 2)


def _too_many(run: RunView, event: Event, optimizer: Object) -> Iterator[Finding]:
    """A step that waits for the gradients of more workers than there are."""
    wanted, there = optimizer.given.get("replicas_to_aggregate"), optimizer.given.get("total_num_replicas")
    number = _number(wanted)
    workers = _number(there) or next((len(tasks.items) for tasks in _tasks(run)), None)
    if number is not None and workers is not None and number > workers:
        message = f"each step waits for the gradients of {number} workers, and there are {workers}"
        yield Finding(message, event.location, unfixable="how many workers there are is for you to say")


def _number(value: Value | None) -> int | None:
    return integer(value)


def _tasks(run: RunView) -> Iterator[Items]:
    """The workers of each cluster that the program writes down."""
    for server in run.events(StartServer):
        tasks = _workers(server)
        if isinstance(tasks, Items) and not tasks.open:
            yield tasks


def _workers(server: StartServer) -> Value | None:
    cluster = server.cluster
    for spec in objects(cluster):
        cluster = spec.given.get("cluster")
    return dict(cluster.items).get(Const("worker")) if isinstance(cluster, Table) else None


def _waiting(run: RunView) -> Iterator[Finding]:
    steps = run.events(OptimizerStep)
    for event in run.events(Prepare):
        for optimizer in objects(event.result, "optimizer"):
            mine = [step for step in steps if optimizer in objects(step.optimizer)]
            if not optimizer.traits.get("waits_for_tokens") or not mine:
                continue
            yield from _too_many(run, event, optimizer)
            for step in mine:
                if is_absent(step, "counter"):
                    message = Claim("`SyncReplicasOptimizer` needs `global_step=` to detect stale gradients", "crash")
                    call = named("minimize", called_name, run, step.location)
                    evidence = (Evidence("the optimizer is created here", event.location),)
                    reason = "which variable counts the steps is for you to say"
                    advice = f"Pass `global_step=` to `{call}`."
                    yield Finding(message, step.location, evidence, help=advice, unfixable=reason)
            if run.exhausted or run.heap.get(optimizer, Fact.ESCAPED):
                continue
            unused = _unused_hook(run)
            if unused is not None:
                message = "no session gets this hook, so every worker waits for a first token that never comes"
                evidence = (Evidence("each step waits for a token", mine[0].location),)
                advice = "Pass it among the `hooks=` of the session."
                reason = "which session is to begin with it is for you to say"
                yield Finding(message, unused.location, evidence, help=advice, unfixable=reason)
            elif not run.provides("first_tokens"):
                message = "without the optimizer's hook, every worker waits for a first token that never comes"
                evidence = (Evidence("each step waits for a token", mine[0].location),)
                name = named("optimizer", result_name, run, event.location)
                advice = f"Add `{name}.make_session_run_hook(is_chief)` to the hooks of the session."
                finding = Finding(message, event.location, evidence, help=advice)
                session = next((each for each in run.events(Save) if each.chief is not None), None)
                reason = "which session is to begin with it is for you to say"
                yield (
                    with_fix(finding, add_hook, run, event, session) if session else replace(finding, unfixable=reason)
                )


def _unused_hook(run: RunView) -> Event | None:
    """The one hook that could let the workers begin, where the hooks of all sessions are known to be others."""
    made = list(run.providers("first_tokens"))
    sessions = [event for event in run.events(Save) if event.chief is not None or event.target is not None]
    hook = made[0].result if len(made) == 1 else None
    if not isinstance(hook, Object) or not sessions:
        return None
    given = [held for event in sessions for role in ("hooks", "chief_hooks") for held in _hooks(event, role)]
    is_known = all(each is not None and each is not hook and each.definition is None for each in given)
    return made[0] if is_known else None


def _hooks(session: Event, role: str) -> Iterator[Object | None]:
    """The hooks that a session gets; None for each that cannot be seen."""
    held = session.operands.get(role, NONE)
    if role in session.unseen or (held != NONE and (not isinstance(held, Items) or held.open)):
        yield None
    elif isinstance(held, Items):
        yield from (each if isinstance(each, Object) else None for each in held.items)
