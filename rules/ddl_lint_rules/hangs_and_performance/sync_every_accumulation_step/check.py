"""Finds loops that accumulate gradients of a DDP or FSDP2 model, and average them over the ranks in each micro step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Const,
    Context,
    Event,
    Evidence,
    Fact,
    Finding,
    Replica,
    RunView,
    Setting,
    Severity,
    Value,
    called_back,
    forwards_behind,
    in_handler,
    is_call_of,
    loops,
    match,
    module_children,
    objects,
    parts,
    parts_of,
    replicas,
    trained_models,
    undecided,
)
from ddl_lint.rulekit.domain import integer
from ddl_lint.rulekit.events import (
    AccumulateByHand,
    Backward,
    Communicate,
    Delegate,
    OptimizerStep,
    Prepare,
    SkipSynchronization,
    Store,
    WrapModel,
    ZeroGradients,
)

_FSDP2 = Const("fsdp2")


def check(run: RunView) -> Iterable[Finding]:
    """One finding per backward."""
    if run.has(SkipSynchronization, Delegate, Prepare, AccumulateByHand, Communicate):
        return
    seen: set[object] = set()
    for replica in (*replicas(run), *_sharded(run)):
        if _is_switched(run, replica):
            continue
        for backward in run.events(Backward):
            if backward.location in seen or in_handler(backward) or called_back(backward):
                continue
            found = _accumulates(run, backward, replica)
            if found is not None:
                seen.add(backward.location)
                yield _finding(run, backward, replica, *found)


def _sharded(run: RunView) -> Iterator[Replica]:
    """The models that FSDP2 shards as they are: those that are no part of another one."""
    held = module_children(run)
    wraps = [
        (wrap, models[0])
        for wrap in run.events(WrapModel)
        for models in [objects(wrap.model, "model")]
        if len(models) == 1 and objects(wrap.result) == models and run.heap.get(models[0], Fact.WRAPPED) == _FSDP2
    ]
    inner = {part for _, model in wraps for part in parts_of(model, held) if part is not model}
    for wrap, model in wraps:
        if model not in inner:
            yield Replica(model, model, wrap, frozenset(parts_of(model, held)))


def _finding(run: RunView, backward: Event, replica: Replica, step: Event, count: int) -> Finding:
    sharded = replica.wrapper is replica.model
    hidden = not sharded and not run.launch.on_several_nodes.has(run.run.path)
    return Finding(
        f"this backward averages the gradients {count} times per optimizer step instead of once",
        backward.location,
        (
            Evidence("gradients are averaged in each backward from here on", replica.wrap.location),
            Evidence(f"the optimizer steps once in {count} backwards", step.location),
        ),
        severity=Severity.INFO if hidden else None,
        help="Call `set_requires_gradient_sync(last)` on the model before each micro batch." if sharded else "",
    )


def _is_switched(run: RunView, replica: Replica) -> bool:
    """Whether the program may tell the wrapper by an attribute when to average, or unseen code has it."""
    stored = any(
        replica.wrapper in objects(event.object) and event.order > replica.wrap.order for event in run.events(Store)
    )
    return stored or run.heap.is_escaped(replica.wrapper)


def _accumulates(run: RunView, backward: Backward, replica: Replica) -> tuple[OptimizerStep, int] | None:
    """The step that a backward of the model only leads to once in so many times."""
    if not any(is_call_of(run, call, replica) for call in forwards_behind(run, backward.loss, backward)):
        return None
    around = loops(backward.context)
    for step in run.events(OptimizerStep):
        trained = {model for made in objects(step.optimizer) for model in trained_models(made)}
        if step.order < backward.order or trained.isdisjoint({replica.model, replica.wrapper}):
            continue
        counts = set(_counts(backward, step, list(around)))
        counts.discard(None)
        if len(counts) == 1 and _is_zeroed_with(run, step, backward):
            (count,) = counts
            if count is not None and count > 1:
                return step, count
    return None


def _counts(backward: Event, step: Event, around: list[Context]) -> Iterator[int | None]:
    """How many backwards there are for a step, by the loop or the condition that says so."""
    if not around:
        return
    inner = list(loops(step.context))
    if len(around) > 1 and inner[:1] == [around[1]]:
        limit = match.range_to(around[0].value) if around[0].value is not None else None
        yield _several(limit)
    elif inner[:1] == [around[0]]:
        outer = set(backward.context.chain())
        for node in undecided(step):
            if node not in outer and node.value is not None and node.arm:
                for part in parts(node.value):
                    pair = match.modulo(part)
                    yield _several(pair[1]) if pair is not None else None


def _several(count: Value | None) -> int | None:
    """The number that a value is, or is where the user says nothing else; None where that is not known."""
    known = count.default if isinstance(count, Setting) else count
    return integer(known)


def _is_zeroed_with(run: RunView, step: Event, backward: Event) -> bool:
    """Whether the gradients are zeroed as seldom as the optimizer steps."""
    often = set(backward.context.chain())
    zeros = [each for each in run.events(ZeroGradients) if loops(each.context)[:1] == loops(backward.context)[:1]]
    return all(any(node not in often for node in undecided(each)) for each in zeros)
