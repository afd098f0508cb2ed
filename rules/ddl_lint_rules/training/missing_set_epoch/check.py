"""Finds distributed samplers that shuffle in the same order every epoch, because nobody tells them the epoch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.analysis.circumstances import loops, single_shot
from ddl_lint.analysis.facts import is_constant, objects
from ddl_lint.analysis.view import ProjectView, RunView
from ddl_lint.finding import Evidence, Finding
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import Const, Object, Unknown, Value


def check(project: ProjectView) -> Iterable[Finding]:
    """One finding per sampler: at the epoch loop, or at a `set_epoch` that changes nothing."""
    for run in project.scripts:
        if run.exhausted or run.provides("set_epoch"):
            continue
        for sampler, iteration, epochs in _repeated(run):
            yield from _judge(run, sampler, iteration, epochs)


def _repeated(run: RunView) -> Iterator[tuple[Object, Event, Context]]:
    """Samplers that need the epoch, one iteration over their loader, and the epoch loop around it."""
    seen: set[Object] = set()
    for event in run.events("iterate"):
        for loader in objects(event.operands["iterable"], "loader"):
            around = [loop for loop in loops(event.context) if not _iterates(loop, loader)]
            if not around or single_shot(around[-1]) or loader.escaped:
                continue
            for sampler in _samplers(loader):
                if sampler not in seen:
                    seen.add(sampler)
                    yield sampler, event, around[0]


def _iterates(loop: Context, loader: Object) -> bool:
    return loop.value is not None and loader in objects(loop.value)


def _samplers(loader: Object) -> Iterator[Object]:
    """The samplers behind a loader that shuffle by epoch and were not handed to code that cannot be seen."""
    for role in ("sampler", "batch_sampler"):
        for sampler in objects(loader.given.get(role)):
            inner = [sampler, *objects(sampler.given.get("sampler"))]
            for candidate in inner:
                shuffles = not is_constant(candidate.given.get("shuffle"), False)
                own = candidate.definition is not None
                if candidate.traits.get("epoch_seeded") and shuffles and not own and not candidate.escaped:
                    yield candidate


def _judge(run: RunView, sampler: Object, iteration: Event, epochs: Context) -> Iterator[Finding]:
    calls = [event for event in run.events("set_epoch") if _is_about(event, sampler)]
    evidence = (Evidence("this sampler shuffles by seed and epoch", sampler.location),)
    if not calls:
        yield Finding(
            "the distributed sampler is never told the epoch: every epoch has the same order",
            epochs.location,
            (*evidence, Evidence("its loader is iterated here", iteration.location)),
        )
        return
    for call in calls:
        epoch = call.operands.get("epoch")
        if isinstance(epoch, Const) and len(calls) == 1:
            yield Finding(f"`set_epoch({epoch.value!r})` is the same in every epoch", call.location, evidence)


def _is_about(event: Event, sampler: Object) -> bool:
    target: Value | None = event.operands.get("sampler")
    return target is None or isinstance(target, Unknown) or sampler in objects(target) or not objects(target)
