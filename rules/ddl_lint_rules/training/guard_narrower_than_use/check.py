"""Finds what only some ranks make, and others use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ddl_lint.rulekit import (
    NONE,
    RANK_TAGS,
    Const,
    Context,
    Evaluator,
    Event,
    Evidence,
    Finding,
    Location,
    Object,
    Process,
    RunView,
    Severity,
    Undecided,
    Value,
    alternatives,
    branches,
    called_back,
    catches,
    in_handler,
    is_set_from_outside,
    job,
    match,
    may_span_nodes,
    parts,
    rank_guards,
    tags_of,
    truth_of,
)
from ddl_lint.rulekit.events import Collective, UseMissing

_CAUGHT = ("NameError", "UnboundLocalError", "AttributeError", "TypeError", "Exception", "BaseException")


def check(run: RunView) -> Iterable[Finding]:
    """One finding per name and condition, where it is first used so."""
    if not run.provides("process_group"):
        return  # such as a test, which is one process
    reported: set[tuple[str, Value]] = set()
    processes = job(2, 2)
    lacking: dict[Value, list[Process]] = {}
    passing: dict[Context, list[Process]] = {}
    for use in run.events(UseMissing):
        present, name = use.operands["present"], _name(use)
        if (name, present) in reported or called_back(use) or in_handler(use) or catches(use.context, *_CAUGHT):
            continue
        if present not in lacking:
            lacking[present] = [process for process in processes if _is_missing(present, process)]
        if not lacking[present]:
            continue
        if use.context not in passing:
            passing[use.context] = [process for process in processes if _may_pass(use, process)]
        failing = [process for process in passing[use.context] if process in lacking[present]]
        if failing and not (_is_sent(run, use) or _is_set_elsewhere(run, use)):
            reported.add((name, present))
            state = "None on some ranks" if use.none is not None else "only set on some ranks"
            message = f"{name} is {state}, but {_who(failing)} uses it too"
            evidence = tuple(Evidence("set here, under a rank guard", place) for place in _made_at(use)[:1])
            advice = f"Use {name} under the guard that sets it, or set it on all ranks that use it."
            needs_nodes = all(process.node for process in failing) and not may_span_nodes(run)
            severity = Severity.INFO if needs_nodes else None
            yield Finding(message, use.location, evidence, severity=severity, help=advice)


def _name(use: UseMissing) -> str:
    name = use.name
    return f"`{name.value}`" if isinstance(name, Const) and name.value else "this"


def _is_sent(run: RunView, use: Event) -> bool:
    """Whether the ranks that have it send it to the others, or try to: another rule checks that."""
    value = use.operands["value"]
    return any(
        value in parts(event.operands.get("tensor", NONE))
        for event in run.events(Collective)
        if event.order < use.order
    )


def _is_set_elsewhere(run: RunView, use: Event) -> bool:
    """Whether an attribute that a class assigns on some ranks may have been assigned by another one, or the program
    asks whether it is there.
    """
    written = use.operands["name"]
    owner, _, attribute = str(written.value if isinstance(written, Const) else "").rpartition(".")
    if not owner or NONE in alternatives(use.operands["value"]):
        return False
    asked = [part for node in branches(use.context) for part in parts(node.value or NONE)]
    return is_set_from_outside(run, attribute) or any(match.inspection(part) is not None for part in asked)


def _may_pass(use: Event, process: Process) -> bool:
    """Whether the rank checks around a use let a process through; what else they ask may be so."""
    evaluator = Evaluator(process)
    for node in rank_guards(use.context):
        left = evaluator.residual(node.value or NONE)
        if tags_of(left) & RANK_TAGS or truth_of(left) is (not node.arm):
            return False
    return True


def _is_missing(present: Value, process: Process) -> bool:
    """Whether a process surely has no value there."""
    try:
        return not Evaluator(process).truth(present)
    except Undecided:
        return False


def _who(failing: Sequence[Process]) -> str:
    """The ranks of a job of two nodes that fail, worded for a job of any size."""
    if all(process.local_rank == 0 and process.node for process in failing):
        return "the first process of every other node"
    return "every other rank" if len(failing) > 1 else "another rank"


def _made_at(use: Event) -> list[Location]:
    """Where what is used was made, as far as it tells."""
    return [option.location for option in alternatives(use.operands["value"]) if isinstance(option, Object)]
