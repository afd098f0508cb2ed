"""Finds wrapped models that only some ranks run forward or backward."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ddl_lint.rulekit import (
    CollectiveWhen,
    Confidence,
    Event,
    Finding,
    Found,
    Object,
    RunView,
    Severity,
    called_name,
    divergence_finding,
    found_divergences,
    is_rank_guarded,
    join,
    loops,
    named,
    objects,
    publish,
    records_gradients,
    with_fix,
)
from ddl_lint.rulekit.domain import Model
from ddl_lint.rulekit.events import ConvertBatchnorm, Forward
from ddl_lint_rules.hangs_and_performance.ddp_eval_on_rank0.fix import fix

__all__ = ["check", "join", "publish"]


def check(run: RunView) -> Iterable[Finding]:
    """One finding per guard."""
    for found in found_divergences(run):
        if found.divergence.kind == "guard" and found.family == "pass":
            finding = divergence_finding(run, found)
            finding = replace(finding, help=_help(found) or finding.help)
            answers = _answers(run, found)
            if answers and (
                finding.confidence is Confidence.MEDIUM
                or not any(_share_loop(found.divergence.step.event, answer) for answer in answers)
            ):
                continue
            if answers:
                call = named("forward", called_name, run, found.divergence.step.location)
                message = f"the next `{call}` of the other ranks answers this one, but nothing answers the last"
                finding = replace(finding, message=message, severity=Severity.INFO)
            yield with_fix(finding, fix, run, found)


def _answers(run: RunView, found: Found) -> list[Forward]:
    """The training forwards of the same DDP model with which the other ranks go on, and that send the same buffers.

    Without gradients only the first of several forwards sends buffers, and the forward after them sends none: so the
    ranks send equally often, and only what is evaluated after all training waits.
    """
    event, instead = found.divergence.step.event, found.divergence.instead
    models = set(objects(event.operands.get("model"))) if event is not None else set[Object]()
    if (
        event is None
        or any(run.traits(model).get("sharded") for model in models)
        or event.collective_when is not CollectiveWhen.HAS_BUFFERS
        or records_gradients(event.context)
        or run.has(ConvertBatchnorm)  # synchronised statistics are computed together
    ):
        return []
    trains = [
        each
        for each in run.events(Forward)
        if records_gradients(each.context) and not is_rank_guarded(each) and not models.isdisjoint(objects(each.model))
    ]
    return [each for each in trains if (_share_loop(event, each) if instead is None else each is instead.event)]


def _share_loop(event: Event | None, other: Event) -> bool:
    """Whether two events happen in iterations of one loop."""
    return event is not None and not set(loops(event.context)).isdisjoint(loops(other.context))


def _help(found: Found) -> str:
    """Of a wrapper that only sends buffers: to go around it, by the attribute that holds the model."""
    event = found.divergence.step.event
    if event is None or event.collective_when is not CollectiveWhen.HAS_BUFFERS:
        return ""
    wrappers = objects(event.operands.get("model"))
    inner = {Model(wrapper).prefix.rstrip(".") for wrapper in wrappers} - {""}
    return f"Call the model inside the wrapper (`.{inner.pop()}`) here, or run this on all ranks." if inner else ""
