"""Finds reductions over all ranks inside of the loss of a model-parallel training."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Event, Evidence, Finding, RunView, called_name, is_absent, is_constant, named

_FRAMEWORK = "megatron"
_OPERATIONS = ("all_reduce", "all_gather", "all_gather_into_tensor", "broadcast", "reduce")


def check(run: RunView) -> Iterable[Finding]:
    """One finding per collective."""
    questions = run.events("query_process_group")
    asked = next((event for event in questions if run.api.framework(event.api) == _FRAMEWORK), None)
    for event in run.events("collective"):
        if run.api.framework(event.api) == _FRAMEWORK:
            continue  # its own calls know their groups
        if asked is None or not is_absent(event, "group") or "group" in event.operands or not _is_in_loss(event):
            continue
        if any(is_constant(event.operands.get("operation"), name) for name in _OPERATIONS) and _adds_up(event):
            call = named("all_reduce", called_name, run, event.location)
            message = f"Wrong result: `{call}` over all ranks counts each sample once per model-parallel rank"
            evidence = Evidence("the program asks for its model-parallel groups here", asked.location)
            yield Finding(message, event.location, (evidence,))


def _adds_up(event: Event) -> bool:
    return not any(is_constant(event.operands.get("reduction"), name) for name in ("max", "min", "MAX", "MIN"))


def _is_in_loss(event: Event) -> bool:
    """Whether the code computes a loss, to judge by the names of the functions around it."""
    names = [node.function.name for node in event.context.chain() if node.function is not None]
    names += [event.function.name] if event.function is not None else []
    return any("loss" in name for name in names)
