"""Finds sends and receives that never meet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import Claim, Evidence, Finding, Location, Message, RunView, Stuck, stuck, with_fix
from ddl_lint_rules.hangs_and_performance.p2p_unmatched.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per run: at the first call that never completes."""
    seen: set[Location] = set()
    fault = run.once(stuck, run.api)
    if fault is not None and fault.message.event.location not in seen:
        seen.add(fault.message.event.location)
        finding = Finding(
            _message(run, fault), fault.message.event.location, tuple(_evidence(fault)), help=_HELP.get(fault.kind, "")
        )
        yield with_fix(finding, fix, run, fault)


def _message(run: RunView, fault: Stuck) -> str:
    first = fault.message
    if fault.kind == "self":
        return Claim(f"the peer of this `{first.name}` on rank {first.rank} is the rank itself", "crash")
    if fault.kind == "outside":
        return Claim(
            f"the peer of this `{first.name}` on rank {first.rank} is rank {first.peer}, which may not exist", "crash"
        )
    waits = f"rank {first.rank} waits in `{first.name}` for {_peer(first)}"
    other = _peer_of(fault)
    if other is None:
        return f"{waits}, which never makes the matching call"
    place = run.place(other.event.location, first.event.location)
    stuck = f"{waits}, which waits in `{other.name}` ({place}) for {_peer(other)}"
    if fault.kind != "order" and other.peer == first.rank and other.sends is not first.sends:
        return f"{stuck}: the tags {first.tag} and {other.tag} differ"
    return stuck


_HELP = {
    "order": "Let one side receive first, or start both calls at once with `batch_isend_irecv`.",
    "self": "Pass the rank of another process.",
    "outside": "Pass a rank below the world size.",
}
"""What to do, by the kind of fault."""


def _peer(message: Message) -> str:
    return "any rank" if message.peer is None else f"rank {message.peer}"


def _peer_of(fault: Stuck) -> Message | None:
    return next((other for other in fault.others if other.rank == fault.message.peer), None)


def _evidence(fault: Stuck) -> Iterator[Evidence]:
    told = {fault.message.event.location}
    for other in fault.others:
        if other.event.location not in told:
            told.add(other.event.location)
            yield Evidence(f"rank {other.rank} waits here in `{other.name}` for {_peer(other)}", other.event.location)
