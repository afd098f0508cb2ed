"""Lets all ranks decide together: by the answer of rank 0, or as soon as one of them would leave."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Fix, LocalDivergence, RunView, Unfixable, Who, asked_at, decide_together

_REASONS = {
    "time": "rank 0 reads the clock for all",
    "random": "rank 0 draws the number for all",
    "files": "only rank 0 looks for the file, so all ranks must see the same disk",
    "data": "rank 0 decides for all",
}


def fix(run: RunView, divergence: LocalDivergence) -> Fix:
    """`if time.time() > deadline:` to whether rank 0 says so, `if loss < goal:` to whether any rank does."""
    if divergence.decides is None or divergence.waits.event is None:
        raise Unfixable("there is no condition that the ranks could evaluate together")
    place = asked_at(run, divergence.decides)
    source = divergence.cause.source
    together = source in ("own files", "signal") or (divergence.kind == "exit" and source == "data")
    who: Who = "first" if not together else "any" if divergence.leaves else "all"
    names = ("agreed", "all_agreed")
    if divergence.kind == "exit":
        names = ("stop", "stopping", "stop_now") if divergence.leaves else ("go_on", "goes_on")
    plain = source in ("time", "files", "own files", "signal")
    waits = divergence.waits.event
    edits = decide_together(run, place, divergence.decides, waits, who, names, plain=plain)
    title = "Leave on all ranks as soon as one of them leaves" if together else "Broadcast the decision of rank 0"
    effect = "all leave as soon as one of them leaves" if together else _REASONS[source]
    return Fix(
        title,
        edits,
        Applicability.UNSAFE,
        f"The ranks communicate each time the condition is evaluated, and {effect}",
    )
