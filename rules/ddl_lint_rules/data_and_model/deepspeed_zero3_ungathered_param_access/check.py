"""Finds parameters that are changed or loaded where this rank has nothing but an empty place for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    NONE,
    Claim,
    Context,
    Event,
    Evidence,
    Finding,
    Location,
    Object,
    RunView,
    Severity,
    catches,
    contradicts,
    engines,
    excludes,
    objects,
    objects_in,
    owner_of_parameter,
    with_contexts,
    with_fix,
)
from ddl_lint.rulekit.events import ChangeParameters, LoadState
from ddl_lint_rules.data_and_model.deepspeed_zero3_ungathered_param_access.fix import gather, keep

_MODIFIER = "modifier_rank"


_LOAD = (
    "Load the checkpoint with the engine (`load_checkpoint`), or load the state before the parameters are partitioned."
)
_GATHER = "Change them inside `with deepspeed.zero.GatheredParameters(params, modifier_rank=0):`, on rank 0."
_MODIFY = "Pass `modifier_rank=0`, and make the change on rank 0."


def check(run: RunView) -> Iterable[Finding]:
    """One finding per place."""
    for event in run.events(ChangeParameters, LoadState):
        divided = next((place for owner in _owners(run, event) for place in _divided_at(run, owner, event)), None)
        if divided is None or catches(event.context, "Exception", "RuntimeError"):
            continue
        evidence = (Evidence("the parameters are partitioned among the ranks here", divided),)
        gathering = next((made for made in with_contexts(event.context) if made.traits.get("gathers")), None)
        if gathering is None and event.kind == "load_state":
            message = Claim("loads into ZeRO-3 parameters that are not gathered here and have size 0", "crash")
            reason = "memory limits how much of the model can be gathered at once"
            yield Finding(message, event.location, evidence, unfixable=reason, help=_LOAD)
        elif gathering is None:
            message = "changes ZeRO-3 parameters that are not gathered here, so it writes into an empty tensor"
            finding = Finding(message, event.location, evidence, severity=Severity.WARNING, help=_GATHER)
            yield with_fix(finding, gather, run, _maker(run), event)
        elif gathering.given.get(_MODIFIER, NONE) == NONE and not gathering.traits.get("unseen_modifier"):
            message = "this change is discarded, because the gathering names no `modifier_rank`"
            finding = Finding(
                message, event.location, (Evidence("they are gathered here", gathering.location),), help=_MODIFY
            )
            yield with_fix(finding, keep, run, gathering, _MODIFIER)


def _maker(run: RunView) -> str:
    """What makes the engine that gathers the parameters for the forward; its framework says how to gather them."""
    return next((engine.wrap.api for engine in engines(run) if engine.has("sharded")), "")


def _owners(run: RunView, event: Event) -> Iterator[Object]:
    """The module that an event is about, and those that it is a part of."""
    if event.kind == "load_state":
        waiting = objects(event.operands.get("target"), "model", "engine")
    else:
        owner = owner_of_parameter(run.api, event.operands["object"])
        waiting = [owner] if owner is not None else []
    seen: list[Object] = []
    while waiting:
        owner = waiting.pop()
        if owner not in seen:
            seen.append(owner)
            yield owner
            waiting.extend(objects(owner.given.get("of"), "model", "engine"))


def _divided_at(run: RunView, owner: Object, event: Event) -> Iterator[Location]:
    """Where the parameters of a module were divided, before an event and in the same kind of run."""
    around = set(with_contexts(event.context))
    for context in objects_in(owner.given.get("made_in", NONE)):
        if run.traits(context).get("sharded") and context not in around:
            yield context.location
    for engine in engines(run):
        apart = _apart(engine.wrap.context, event.context)
        if engine.has("sharded") and engine.owns(owner) and engine.wrap.order < event.order and not apart:
            yield engine.wrap.location


def _apart(first: Context, second: Context) -> bool:
    return excludes(first, second) or contradicts(first, second)
