"""Finds calls that set up the process group with an address or a rank that cannot tell the processes apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ddl_lint.rulekit import (
    NONE,
    Claim,
    Const,
    Event,
    Evidence,
    Finding,
    Rank,
    RunView,
    Severity,
    Unknown,
    Value,
    alternatives,
    always,
    assigns_ranks,
    in_process,
    is_absent,
    is_constant,
    is_rank_guarded,
    is_started_on_one_node,
    match,
    parts,
    starts_several,
    with_fix,
)
from ddl_lint.rulekit.domain import PROCESSES, Count, integer, quantity
from ddl_lint.rulekit.events import InitProcessGroup, StartProcesses
from ddl_lint_rules.communication_setup.init_rank_world_size.fix import fix

_UNSET = -1
"""What PyTorch's signature says for a rank or world size that is not given."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call: an incomplete address, a rank outside the world, or one rank for all processes."""
    for event in run.events(InitProcessGroup):
        if assigns_ranks(event, run.api):
            continue
        missing = _missing(event)
        finding = _incomplete(event, missing) if missing else _wrong_rank(run, event)
        if finding is not None and _is_of_node(event.operands.get("rank", NONE)):
            yield replace(finding, unfixable="cannot tell how many processes each node starts")
        elif finding is not None:
            yield with_fix(finding, fix, run, event, missing or ("rank",))


# --- the address -------------------------------------------------------------------------------------------------


def _missing(event: InitProcessGroup) -> tuple[str, ...]:
    """What a call with an address that only says where to meet leaves out of who meets."""
    if not is_absent(event, "store") or not always(event.init_method, _is_bare):
        return ()
    return tuple(role for role in ("rank", "world_size") if _is_unset(event, role))


def _incomplete(event: Event, missing: tuple[str, ...]) -> Finding:
    names = " and ".join(f"`{role}=`" for role in missing)
    address = alternatives(event.operands["init_method"])[0]
    scheme = str(getattr((match.text_pieces(address) or (address,))[0], "value", "")).partition("://")[0].lower()
    return Finding(
        f'`init_method="{scheme}://..."` also needs {names}; this call raises ValueError',
        event.location,
        help=f"Pass {names}, the global rank and the number of processes of the job."
        if len(missing) > 1
        else f"Pass {names}.",
    )


def _is_unset(event: Event, role: str) -> bool:
    return is_absent(event, role) or is_constant(event.operands.get(role), _UNSET)


def _is_bare(value: Value) -> bool:
    """Whether a value is a `tcp://` or `file://` address without a query."""
    pieces = match.text_pieces(value) or (value,)
    texts = [piece.value for piece in pieces if isinstance(piece, Const) and isinstance(piece.value, str)]
    starts = isinstance(pieces[0], Const) and str(pieces[0].value).lower().startswith(("tcp://", "file://"))
    return starts and not any("?" in text for text in texts)


# --- the rank ----------------------------------------------------------------------------------------------------


def _outside(event: InitProcessGroup) -> Finding | None:
    """A rank that is not smaller than the world size, whoever calls."""
    rank, size = event.rank, event.world_size
    if rank is None:
        return None
    number, count = integer(rank), integer(size)
    if number is not None and count is not None:
        if not 0 < count <= number:
            return None
        text = f"rank {number} is outside a world size of {count}: ranks start at 0"
        written = rank.location if isinstance(rank, Const) else None
        is_elsewhere = written is not None and not event.location.covers(written)
        evidence = (Evidence("the rank comes from here", written),) if written is not None and is_elsewhere else ()
        return Finding(text, event.location, evidence)
    if rank == size and not any(isinstance(part, Unknown) for part in parts(rank)):
        return Finding(
            "the rank is the world size: all processes claim the same rank, which does not exist", event.location
        )
    if quantity(rank).is_surely(Count.DEVICES, *PROCESSES):
        return Finding(
            "the rank is a number of devices or processes, so all processes claim the same rank",
            event.location,
            consequence="hang",
        )
    return None


def _wrong_rank(run: RunView, event: InitProcessGroup) -> Finding | None:
    return _outside(event) or _of_node(run, event) or _same_for_all(run, event)


def _of_node(run: RunView, event: InitProcessGroup) -> Finding | None:
    """The local rank, which is counted anew on each node, in a job whose size is that of all nodes."""
    sources = {"environment", "api"}
    if run.launch.with_local_rank.has(run.run.path):
        sources.add("argument")
    rank, size = quantity(event.rank), quantity(event.world_size)
    is_local = rank.is_surely(Count.LOCAL_RANK) and rank.is_from(*sources)
    if not is_local or not run.is_script or in_process(event) is not None or "world_size" in event.unseen:
        return None
    is_launched = size.is_world_size and size.is_from("environment", "api")
    if not is_launched and not _is_unset(event, "world_size"):
        return None
    several = run.launch.on_several_nodes.has(run.run.path)
    milder = Severity.INFO if is_started_on_one_node(run) else Severity.WARNING
    return Finding(
        "`rank=` gets the local rank, which repeats on every node: on two nodes, processes claim the same rank",
        event.location,
        severity=None if several else milder,
        consequence="hang",
    )


def _same_for_all(run: RunView, event: InitProcessGroup) -> Finding | None:
    """A rank without the index of the process, in a function that several processes run."""
    rank, process = event.rank, in_process(event)
    if process is None or rank is None or not (_is_literal(rank) or _is_of_node(rank)):
        return None
    if is_constant(event.world_size, 1) or is_rank_guarded(event):
        return None
    start = next((start for start in run.events(StartProcesses) if start.location == process.location), None)
    if start is None or not starts_several(start):
        return None
    if any(
        other.rank != rank and (other.location == event.location or in_process(other) is process)
        for other in run.events(InitProcessGroup)
    ):
        return None  # the processes are distinguished by where they are started, or by a branch
    evidence = (Evidence("the processes are started here", start.location),)
    if isinstance(rank, Const):
        message = Claim(
            f"every started process claims rank {rank.value}; one serves the rendezvous, the others fail or wait",
            "hang",
        )
    else:
        message = Claim(
            "the rank does not depend on the process index, so all processes of a node claim the same rank", "hang"
        )
    return Finding(message, event.location, evidence)


def _is_literal(rank: Value) -> bool:
    number = integer(rank)
    return number is not None and number >= 0


def _is_of_node(rank: Value) -> bool:
    """Whether a number is surely the same in all processes of a node: made of the node's number, of what the user says
    in the command line, and of nothing else, such as the variable of the loop that starts the processes. What is the
    node's by its name only may hold any rank.
    """
    node = quantity(rank)
    return (
        node.has(Count.NODE_RANK)
        and node.is_made_of(Count.NODE_RANK, *_SAME_ON_NODE)
        and not any(_is_by_name(part) or match.element_of(part) is not None for part in parts(rank))
    )


_SAME_ON_NODE = (Count.LITERAL, Count.OPTION, Count.DEVICES, Count.LENGTH, *PROCESSES)


def _is_by_name(part: Value) -> bool:
    return isinstance(part, Rank) and part.source == "name"
