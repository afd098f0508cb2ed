"""Finds metrics of one rank's share of the data that set the learning rate, or choose the best checkpoint."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Apply,
    Context,
    Event,
    Evidence,
    Finding,
    RunView,
    Value,
    branches,
    called_back,
    in_handler,
    is_constant,
    is_of_own_share,
    is_rank_guarded,
    local_divergences,
    parts,
    receiver,
    shown,
)
from ddl_lint.rulekit.domain import Sampler
from ddl_lint.rulekit.events import BuildSampler, Save, SchedulerStep, SetGroup

_ORDER = frozenset({"<", ">", "<=", ">="})


def check(run: RunView) -> Iterable[Finding]:
    """One finding per step of a scheduler, or comparison that a checkpoint depends on."""
    if not _has_several_processes(run) or not _trains_together(run):
        return
    for step in run.events(SchedulerStep):
        metric = step.metric
        if metric is not None and not _is_apart(step) and is_of_own_share(run, metric):
            scheduler = shown("the scheduler", receiver, run, step)
            yield Finding(
                f"each rank steps {scheduler} with its own metric, so learning rates drift apart",
                step.location,
                _samplers(run),
            )
    for event in run.events(SetGroup):
        if is_constant(event.key, "lr") and not _is_apart(event) and _is_of_own(run, event):
            yield Finding(
                "each rank sets the learning rate by its own metric, so learning rates drift apart",
                event.location,
                _samplers(run),
            )
            break  # the groups of one optimizer, or of several, in turn
    found = [each for each in local_divergences(run) if each.cause.source == "data"]
    if any(each.kind == "exit" for each in found):
        return  # such a metric ends the training, too, which another rule reports
    seen = {each.decides for each in found}
    for save in run.events(Save):
        node = None if in_handler(save) or called_back(save) else _choice(run, save)
        if node is not None and node not in seen:
            seen.add(node)
            yield Finding(
                "one rank's share of the data decides which checkpoint is the best",
                node.location,
                (Evidence("the checkpoint is written here", save.location), *_samplers(run)),
            )


def _has_several_processes(run: RunView) -> bool:
    """Whether processes meet: in a group that the program makes, or through a library that makes it."""
    others = (event for event in run.providers("process_group") if event.kind != "init_process_group")
    return bool(run.groups()) or any(True for _ in others)


def _trains_together(run: RunView) -> bool:
    """Whether the ranks train copies of one model: what each of them decides must be the same on all."""
    return run.provides("gradient_sync")


def _is_apart(event: Event) -> bool:
    return is_rank_guarded(event) or in_handler(event) or called_back(event)


def _is_of_own(run: RunView, event: SetGroup) -> bool:
    """Whether a value that is assigned, or the condition for that, comes from a metric of the own share."""
    value = event.value
    if value is not None and is_of_own_share(run, value):
        return True
    return any(
        _compares_own(run, part)
        for node in branches(event.context)
        if node.value is not None and not node.implied
        for part in parts(node.value)
    )


def _choice(run: RunView, save: Event) -> Context | None:
    """The condition around a checkpoint that compares a metric of the own share."""
    if not is_rank_guarded(save):
        return None
    for node in branches(save.context):
        asked = parts(node.value) if node.value is not None and node.arm and not node.implied else ()
        if any(_compares_own(run, part) for part in asked):
            return node
    return None


def _compares_own(run: RunView, part: Value) -> bool:
    if not isinstance(part, Apply) or part.operator not in _ORDER:
        return False
    return any(is_of_own_share(run, side) for side in part.operands)


def _samplers(run: RunView) -> tuple[Evidence, ...]:
    """Where the data is divided; of several samplers the last one, which is that of the validation."""
    found = [
        event for event in run.events(BuildSampler) if any(made.divides_data for made in Sampler.among(event.result))
    ]
    return tuple(Evidence("each rank gets its own share of the data here", event.location) for event in found[-1:])
