"""Finds losses of replicas that do not count the whole batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import Apply, DeviceCount, Evidence, Finding, RunView, Value, WorldSize, parts, replica_call

_OVER_OWN = {"mean": "averaged", "sum": "summed"}


def check(run: RunView) -> Iterable[Finding]:
    """One finding per loss."""
    for backward in run.events("backward"):
        call = replica_call(run, backward)
        loss = backward.operands.get("loss")
        if call is None or loss is None or _is_mended(run, call.order):
            continue
        term = next((each for each in _terms(loss) if isinstance(each, Apply) and each.operator in _OVER_OWN), None)
        if isinstance(term, Apply):
            how = _OVER_OWN[term.operator]
            number = "the number of replicas" if term.operator == "mean" else "the batch size"
            yield Finding(
                f"Wrong result: the loss is {how} per replica, so gradients are too large by {number}",
                term.location or backward.location,
                (
                    Evidence("its gradients are computed here", backward.location),
                    Evidence("each replica runs this function", call.location),
                ),
            )


def _terms(loss: Value) -> Iterator[Value]:
    """What a loss is the sum of."""
    if isinstance(loss, Apply) and loss.operator == "+":
        for operand in loss.operands:
            yield from _terms(operand)
    else:
        yield loss


def _is_mended(run: RunView, since: int) -> bool:
    """Whether the gradients may be divided by the number of replicas instead."""
    return any(
        isinstance(part, (WorldSize, DeviceCount))
        for step in run.events("optimizer_step")
        if step.order > since
        for part in parts(step.operands.get("gradients") or step.operands["optimizer"])
    ) or any(event.order > since for event in run.events("scale_loss"))
