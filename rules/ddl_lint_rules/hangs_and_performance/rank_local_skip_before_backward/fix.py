"""Lets all ranks skip a batch together."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Fix, LocalDivergence, RunView, Unfixable, Who, asked_at, decide_together


def fix(run: RunView, divergence: LocalDivergence) -> Fix:
    """`if not torch.isfinite(loss):` to the question whether the loss of any rank is not finite."""
    if divergence.decides is None or divergence.waits.event is None:
        raise Unfixable("the error occurs on one rank while the others are in a collective")
    place = asked_at(run, divergence.decides)
    drawn = divergence.cause.source != "data"
    who: Who = "first" if drawn else "any" if divergence.leaves else "all"
    names = ("skip", "skipped", "skip_batch") if divergence.leaves else ("keep", "is_fine", "keep_batch")
    edits = decide_together(run, place, divergence.decides, divergence.waits.event, who, names)
    return Fix(
        "Broadcast the decision of rank 0" if drawn else "Skip the batch on all ranks if one of them skips it",
        edits,
        Applicability.UNSAFE,
        "The ranks communicate in each step, which waits for the GPU, and "
        + ("rank 0 decides for all" if drawn else "all ranks skip a batch if one does"),
    )
