"""Finds gradients that each rank clips by the norm of its own shard."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile

from ddl_lint.rulekit import (
    RANK_TAGS,
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    Unknown,
    Value,
    are_exclusive,
    called_name,
    excludes,
    is_constant,
    left_under,
    model_name,
    named,
    objects,
    objects_under,
    parts,
    tags_of,
    with_fix,
)
from ddl_lint.rulekit.domain import Parameter
from ddl_lint.rulekit.events import ClipGradients, Collective, WrapModel
from ddl_lint_rules.training.fsdp_clip_grad_norm.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call."""
    for clip in run.events(ClipGradients):
        if not is_constant(clip.own, True) or _is_other_arm_of_reduction(run, clip):
            continue
        parameters = list(_parameters(clip))
        wrappers = dict.fromkeys(wrapper for part in parameters for wrapper in _wrappers(run, clip, part))
        for wrapper in list(wrappers)[:1]:
            call, model = (
                named("clip_grad_norm_", called_name, run, clip.location),
                named("model", model_name, run, clip),
            )
            finding = Finding(
                f"`{call}` clips each rank by the norm of its own shard",
                clip.location,
                (Evidence("FSDP replaces the parameters by shards here", wrapper.location),),
                help=f"Clip with the wrapper's own method, `{model}.clip_grad_norm_(max_norm)`, on all ranks.",
            )
            yield with_fix(finding, fix, run, clip, parameters, wrapper)


def _is_other_arm_of_reduction(run: RunView, clip: Event) -> bool:
    """Whether the function that clips adds a norm up over the ranks where an unknown condition is false: the program
    asks whether the model is sharded.
    """
    inside = list(takewhile(lambda node: node.kind != "call", clip.context.chain()))
    call = next((node for node in clip.context.chain() if node.kind == "call"), None)
    if call is None or not any(node.kind == "branch" and _is_unknown(node.value) for node in inside):
        return False
    leaves = any(left.leaves is call and left.context is clip.context for left in run.run.exits)
    return any(
        is_constant(reduced.operation, "all_reduce")
        and (excludes(reduced.context, clip.context) or (leaves and reduced.order > clip.order))
        and call in reduced.context.chain()
        for reduced in run.events(Collective)
    )


def _is_unknown(condition: Value | None) -> bool:
    if condition is None or tags_of(condition) & RANK_TAGS:
        return False
    return any(isinstance(part, Unknown) for part in parts(condition))


def _parameters(clip: ClipGradients) -> Iterator[Object]:
    found = objects_under(clip.parameters, clip.context)
    yield from (part for part in found if part.kind == "parameter")


def _wrappers(run: RunView, clip: Event, parameter: Object) -> Iterator[Object]:
    """The wrappers that keep a shard of what a parameter belongs to, as plain tensors."""
    for owner in left_under(Parameter(parameter).model, clip.context):
        if isinstance(owner, Object) and owner.traits.get("flat_shards"):
            yield owner
        for wrap in run.events(WrapModel):
            if wrap.order < clip.order and owner in objects(wrap.model) and not are_exclusive(wrap, clip):
                yield from (made for made in objects(wrap.result) if made.traits.get("flat_shards"))
