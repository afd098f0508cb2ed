"""Finds amounts of the whole job that are computed from the number of GPUs of one node."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ddl_lint.rulekit import (
    RANK_TAGS,
    Context,
    Event,
    EventKind,
    Evidence,
    Finding,
    RunView,
    Setting,
    Unknown,
    Value,
    asks_for_rank,
    called_back,
    contents,
    hides_devices,
    in_process,
    is_rank_guarded,
    last_word,
    objects,
    parts,
    tags_of,
)
from ddl_lint.rulekit.domain import PROCESSES, count_of, quantity
from ddl_lint.rulekit.events import Backward, BuildLoader, BuildScheduler, CountByDevices, OptimizerStep, StartProcesses

_ROLES: Mapping[EventKind, tuple[str, str]] = {
    "backward": ("loss", "the accumulated gradients are"),
    "build_optimizer": ("learning_rate", "the learning rate is"),
    "set_group": ("value", "the learning rate is"),
    "build_scheduler": ("learning_rate", "the learning rate is"),
}
"""What may be computed from the number of processes of a job, and what is wrong then; by the kind of event."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per quotient or product that the training makes use of."""
    if not run.is_script or not run.groups() or run.has(StartProcesses):
        return
    told = set[Value]()
    for event in run.events(CountByDevices):
        amount = event.result
        if amount is None or amount in told or quantity(event.count).is_surely(*PROCESSES):
            continue
        if not _spans_nodes(run, event):
            continue
        used = next(_uses(run, amount), None)
        if used is not None:
            told.add(amount)
            use, affected = used
            yield Finding(
                f"on several nodes {affected} wrong: this counts the GPUs of one node, not all processes",
                event.location,
                (Evidence("it is used here", use.location),),
            )


def _spans_nodes(run: RunView, event: Event) -> bool:
    """Whether processes of several nodes may get to a place, each of which works on one of several GPUs."""
    if is_rank_guarded(event) or called_back(event) or any(True for _ in hides_devices(run, in_process(event))):
        return False
    return run.launch.on_several_nodes.has(run.run.path) or (
        asks_for_rank(run, "global") and asks_for_rank(run, "local")
    )


def _uses(run: RunView, amount: Value) -> Iterator[tuple[Event, str]]:
    """Where an amount becomes one of the training of all ranks, and what is wrong then."""
    for kind, (role, affected) in _ROLES.items():
        for event in run.events(kind):
            if _is_computed_from(run, event.operands.get(role), amount):
                yield event, affected
    for event in run.events(Backward, OptimizerStep):
        if any(_is_computed_from(run, node.value, amount) for node in _repeating(event)):
            yield event, "the number of accumulated batches is"
    for event in run.events(BuildScheduler):
        for made in objects(event.result):
            if any(_is_computed_from(run, value, amount) for name, value in made.given.items() if name != "optimizer"):
                yield event, "the schedule is"
    for event in run.events(BuildLoader) if run.launch.on_several_nodes.has(run.run.path) else ():
        if _is_computed_from(run, event.batch_size, amount):
            yield event, "the batch size is"


def _repeating(event: Event) -> Iterator[Context]:
    """The loop around an event, and the conditions around it in that loop."""
    for node in event.context.chain():
        if node.kind == "branch" and not node.assumed:
            yield node
        elif node.kind == "loop":
            yield node
            return


def _is_computed_from(run: RunView, value: Value | None, amount: Value) -> bool:
    """Whether a value is computed from an amount, and from nothing that may be the number of nodes."""
    if value is None:
        return False
    found = [*parts(value), *(part for made in objects(value, "tensor") for part in contents(made, run.heap))]
    return amount in found and not any(_may_be_nodes(run, part) for part in found)


def _may_be_nodes(run: RunView, part: Value) -> bool:
    if count_of(part) in PROCESSES or tags_of(part) & RANK_TAGS:
        return True
    name = part.name if isinstance(part, Setting) else last_word(part) if isinstance(part, Unknown) else ""
    return run.api.names_like("node_count_patterns").search(name) is not None
