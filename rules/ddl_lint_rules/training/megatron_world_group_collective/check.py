"""Finds reductions over all ranks inside of the loss of a model-parallel training."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Claim,
    Event,
    Evidence,
    Finding,
    Location,
    NameUse,
    RunView,
    code,
    found_divergences,
    is_absent,
    is_constant,
    is_rank_guarded,
    library_names,
    number_under_launch,
    per_file,
    walk,
    with_fix,
)
from ddl_lint.rulekit.domain import quantity
from ddl_lint.rulekit.events import Collective, Delegate, NewGroup, QueryProcessGroup
from ddl_lint_rules.training.megatron_world_group_collective.fix import fix

_FRAMEWORK = "megatron"
_OPERATIONS = ("all_reduce", "all_gather", "all_gather_into_tensor", "broadcast", "reduce")
_SIZES = ("tensor_parallel", "pipeline_parallel")


def check(run: RunView) -> Iterable[Finding]:
    """One finding per collective."""
    used = run.events(QueryProcessGroup, Delegate, NewGroup)
    ours = [event for event in used if run.api.framework(event.api) == _FRAMEWORK]
    if any(_is_alone(run, event) for event in ours):
        return
    for event in run.events(Collective):
        if run.api.framework(event.api) == _FRAMEWORK:
            continue  # its own calls know their groups
        if not is_absent(event, "group") or event.group is not None or not _is_in_loss(event):
            continue
        divided = ours[0].location if ours else _import(run, event)
        if divided is None or not _adds_up(event) or _is_reported_as_hang(run, event):
            continue
        if any(is_constant(event.operation, name) for name in _OPERATIONS):
            message = "this sum over all ranks counts each sample once per model-parallel rank"
            if _becomes_mean(run, event):  # copies do not change a mean
                if not _is_for_last_stage(run, event):
                    continue
                message = Claim("only the last pipeline stage computes this loss; the other stages never join", "hang")
            evidence = Evidence("Megatron divides the job into groups here", divided)
            yield with_fix(Finding(message, event.location, (evidence,)), fix, run, event)


def _is_alone(run: RunView, event: Event) -> bool:
    """Whether a call makes groups of which all ranks hold the whole model."""
    given = [event.operands.get(name) for name in _SIZES]
    return None not in given and all(number_under_launch(run, size) == 1 for size in given)


def _import(run: RunView, event: Event) -> Location | None:
    """Where the file of a call imports the framework, in code that no run of the framework reaches."""
    module = run.module_at(event.location.path)
    uses = _names(module) if module is not None else []
    return uses[0].location if uses else None


@per_file
def _names(module: code.Module) -> list[NameUse]:
    """The names of the framework that a file uses."""
    if _FRAMEWORK not in module.words:
        return []
    return library_names(module, lambda name: name.partition(".")[0] == _FRAMEWORK)


def _is_reported_as_hang(run: RunView, event: Event) -> bool:
    """Whether only some ranks get there, which is reported as what it is."""
    if not is_rank_guarded(event):
        return False
    steps = (found.divergence.step.event for found in found_divergences(run))
    return any(step is not None and step.location == event.location for step in steps)


def _adds_up(event: Collective) -> bool:
    return not any(is_constant(event.reduction, name) for name in ("max", "min", "MAX", "MIN"))


def _becomes_mean(run: RunView, event: Event) -> bool:
    """Whether the function that adds up asks for the number of all ranks, too, by which it divides."""
    return any(
        asked.function is event.function and quantity(asked.result).is_world_size
        for asked in run.events(QueryProcessGroup)
    )


def _is_for_last_stage(run: RunView, event: Event) -> bool:
    """Whether the file hands the function on, as a forward step does with its loss: `partial(loss_func, mask)`."""
    module = run.module_at(event.location.path)
    return module is not None and event.function is not None and event.function.name in _handed_on(module)


@per_file
def _handed_on(module: code.Module) -> frozenset[str]:
    """The names among the arguments of calls."""
    calls = (node for node in walk(*module.body) if isinstance(node, code.Call))
    return frozenset(given.id for call in calls for given in call.args if isinstance(given, code.Name))


def _is_in_loss(event: Event) -> bool:
    """Whether the code computes a loss, to judge by the names of the functions around it."""
    names = [node.function.name for node in event.context.chain() if node.function is not None]
    names += [event.function.name] if event.function is not None else []
    return any("loss" in name for name in names)
