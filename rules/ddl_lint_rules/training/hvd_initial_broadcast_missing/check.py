"""Finds training with averaged gradients that starts from other weights on each rank."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    NONE,
    RANK_TAGS,
    Const,
    Event,
    Evidence,
    Finding,
    Heap,
    Object,
    RunView,
    Unknown,
    Value,
    averaging,
    called_name,
    contents,
    has_own_group,
    idiom_at,
    is_constant,
    is_rank_guarded,
    is_unseen,
    model_name,
    named,
    objects,
    tags_of,
    with_fix,
)
from ddl_lint.rulekit.domain import Trained
from ddl_lint.rulekit.events import (
    BuildOptimizer,
    Collective,
    Compile,
    Fit,
    Forward,
    Load,
    LoadState,
    OptimizerStep,
    Prepare,
    Seed,
)
from ddl_lint_rules.training.hvd_initial_broadcast_missing.fix import fix

_PRETRAINED = ("pretrained", "weights")
"""Arguments of a model that make it start from a file."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per script, where the optimizer or the tape is wrapped."""
    if not run.is_script:
        return
    if not has_own_group(run) or is_unseen(run) or _starts_alike(run):
        return
    wrap = next((event for event in run.events(Prepare) if _averages(event)), None)
    if wrap is None:
        return
    training = next(_training(run), None)
    if training is not None:
        finding = Finding(
            "each rank starts from its own random weights; nothing broadcasts those of rank 0",
            wrap.location,
            (Evidence("training starts here", training.location),),
            help=_advice(run, wrap, training),
        )
        yield with_fix(finding, fix, run, wrap, training)


def _advice(run: RunView, wrap: Prepare, training: Event) -> str:
    """How the framework of the wrapper sends the weights: by a callback in `fit`, else by a call."""
    group = run.groups()[0].api
    if training.kind == "fit":
        callback = idiom_at("BroadcastGlobalVariablesCallback(0)", run, training.location, group, "broadcast_at_start")
        return f"Add `{callback}` to the callbacks of `{named('fit', called_name, run, training.location)}`."
    inner = next(iter(objects(wrap.object, "optimizer")), None)
    built = next((event for event in run.events(BuildOptimizer) if event.result is inner), None)
    if inner is None or built is None or run.api.framework(built.api) != "pytorch":
        return "Broadcast the variables of rank 0 once, right after the first step creates them."
    model = named("model", model_name, run, built)
    call = idiom_at("", run, wrap.location, group, "broadcast_weights", model=model)
    return f"Call `{call}` before the first step." if call else ""


def _averages(event: Event) -> bool:
    return not is_rank_guarded(event) and any(made.averages_gradients for made in Trained.among(event.result))


def _training(run: RunView) -> Iterator[Fit | OptimizerStep]:
    compiled = {model for event in run.events(Compile) if averaging(event.optimizer) for model in objects(event.model)}
    for event in run.events(OptimizerStep, Fit):
        if event.kind == "fit":
            if compiled & set(objects(event.operands.get("model"))):
                yield event
        elif averaging(event.operands.get("optimizer")) or "gradients" in event.operands:
            yield event


def _starts_alike(run: RunView) -> bool:
    """Whether the ranks may have the same weights: by a broadcast, a file, or a seed."""
    if run.provides("initial_state") or run.has(LoadState):
        return True
    if any(_is_unknown(event.callbacks, run.heap) for event in run.events(Fit)):
        return True  # what is called back may broadcast
    if any(event.target is not None for event in run.events(Load)):
        return True
    if any(not tags_of(event.operands.get("value", NONE)) & RANK_TAGS for event in run.events(Seed)):
        return True
    if any(_may_carry_weights(event) for event in run.events(Collective)):
        return True
    trained = [model for event in run.events(Forward, Fit) for model in _models(event.model)]
    return any(_may_be_pretrained(model, run.heap) for model in trained)


def _is_unknown(callbacks: Value | None, heap: Heap) -> bool:
    return callbacks is not None and any(isinstance(part, Unknown) for part in contents(callbacks, heap))


def _may_carry_weights(event: Collective) -> bool:
    if not str(event.constants.get("operation")).startswith("broadcast"):
        return False
    given = event.tensor
    if isinstance(given, Object):
        if given.kind == "optimizer":  # its state is no weights
            return False
        return given.kind != "tensor" or not {"data", "size"} & given.given.keys()
    return not isinstance(given, Const)


def _models(value: Value | None) -> list[Value]:
    return [value] if isinstance(value, (Object, Unknown)) else list(objects(value))


def _may_be_pretrained(model: Value, heap: Heap) -> bool:
    """Whether a model may come from a file, which is the same on all ranks."""
    if not isinstance(model, Object):
        return True
    for part in contents(model, heap):
        if isinstance(part, Object):
            for name in _PRETRAINED:
                if name in part.given and not is_constant(part.given[name], None, False):
                    return True
            if part.kind == "state_dict":
                return True
    return False
