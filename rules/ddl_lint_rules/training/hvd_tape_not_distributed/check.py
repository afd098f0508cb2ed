"""Finds gradients of a plain tape that reach an optimizer without being averaged over the ranks."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    NONE,
    Evidence,
    Finding,
    Location,
    RunView,
    Tag,
    TagKind,
    averaging,
    has_own_group,
    idiom_at,
    in_handler,
    is_rank_guarded,
    named,
    objects,
    receiver,
    tags_of,
    with_fix,
)
from ddl_lint.rulekit.domain import Trained
from ddl_lint.rulekit.events import Backward, Collective, OptimizerStep
from ddl_lint_rules.training.hvd_tape_not_distributed.fix import wrap_tape


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call that computes the gradients."""
    seen: set[Location] = set()
    if not run.is_script:
        return
    if not has_own_group(run):
        return
    averaged = {event.location for event in run.events(Backward) if _is_wrapped(event)}
    for event in run.events(Backward):
        by = objects(event.by)
        if not by or any(made.kind != "context" for made in by) or event.location in averaged:
            continue  # one call with a plain tape, to make the variables of the optimizer, is meant
        if event.location in seen or is_rank_guarded(event) or in_handler(event):
            continue
        tag = Tag.at(TagKind.GRADIENT, event.location)
        if any(tag in tags_of(other.operands.get("tensor", NONE)) for other in run.events(Collective)):
            continue  # averaged by hand
        step = next(
            (
                step
                for step in run.events(OptimizerStep)
                if step.order > event.order and tag in tags_of(step.operands.get("gradients", NONE))
            ),
            None,
        )
        if step is None:
            continue
        seen.add(event.location)
        evidence = [Evidence("the gradients are applied here", step.location)]
        tape = named("tape", receiver, run, event)
        message = f"`{tape}` is a plain tape, so each rank applies its own gradients"
        wrapped = averaging(step.optimizer)
        if wrapped:
            evidence.append(
                Evidence(
                    "the optimizer is wrapped here, but averages only what it computes itself", wrapped[0].location
                )
            )
        api = run.groups()[0].api
        code_of_fix = idiom_at(
            f"{tape} = hvd.DistributedGradientTape({tape})", run, event.location, api, "average_tape", tape=tape
        )
        advice = f"Wrap the tape before this call: `{code_of_fix}`."
        yield with_fix(Finding(message, event.location, tuple(evidence), help=advice), wrap_tape, run, event)


def _is_wrapped(event: Backward) -> bool:
    """Whether gradients may come from a tape that averages them."""
    return any(made.averages_gradients for made in Trained.among(event.by))
