"""Wrappers that drive the training: their own backward and step accumulate, scale, average, clip and schedule."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ddl_lint.analysis.queries.control_context import contradicts, objects_under
from ddl_lint.analysis.queries.gradients import forwards_behind
from ddl_lint.analysis.queries.modules import module_children, parts_of
from ddl_lint.analysis.values.certainty import objects
from ddl_lint.analysis.values.contexts import excludes, loops, undecided, with_contexts
from ddl_lint.analysis.values.visitors import objects_in
from ddl_lint.analysis.view import RunView
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.program.event_types import Backward, Forward, OptimizerStep, Prepare, SaveSharded, WrapModel
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import NONE, Object, Value
from ddl_lint.source.span import Location

_Happening = TypeVar("_Happening", bound=Event)


@dataclass(frozen=True, slots=True)
class Engine:
    """A wrapper that drives the training of a model.

    `made` is the wrapper, `wrap` the event that makes it, `parts` the model with all modules and parameters in it.
    """

    made: Object
    wrap: WrapModel
    parts: frozenset[Object]
    traits: Mapping[str, Any] = field(compare=False)
    """What is known of it in the job that is judged."""

    def has(self, trait: str) -> bool:
        """Whether a trait surely holds of it, by its configuration."""
        return bool(self.traits.get(trait))

    @property
    def optimizers(self) -> list[Object]:
        """The optimizers that come back with it; those that it was given among them."""
        return [*objects(self.wrap.optimizer, "optimizer"), *self.returned("optimizer")]

    def returned(self, kind: str) -> list[Object]:
        """The objects of a kind that are made with it."""
        return [each for each in objects_in(self.wrap.result or NONE) if each.kind == kind]

    def owns(self, item: object) -> bool:
        """Whether an object is the wrapper or the model inside, or a part of that."""
        return item is self.made or item in self.parts


_DRIVES = (Backward, OptimizerStep, SaveSharded)


def engines(run: RunView) -> list[Engine]:
    """The wrappers of a run that drive the training."""
    return run.once(_engines)


def _engines(run: RunView) -> list[Engine]:
    held = module_children(run)
    found: list[Engine] = []
    for wrap in run.events(WrapModel):
        models = objects(wrap.model)
        parts = frozenset(part for model in models for part in parts_of(model, held))
        made = (each for each in objects_in(wrap.result or NONE) if each.traits.get("drives_training"))
        found.extend(Engine(each, wrap, parts, run.traits(each)) for each in made)
    return found


def may_drive(run: RunView, engine: Engine, event: Event) -> bool:
    """Whether an event comes after the engine was made, and both happen in one kind of run."""
    return (
        event.order > engine.wrap.order
        and not are_exclusive(engine.wrap, event)
        and not _does_without(run, engine, event)
    )


def _does_without(run: RunView, engine: Engine, event: Event) -> bool:
    """Whether an event is what other runs do instead of driving the engine, to judge by the program: not every run
    makes it, and it is driven in the other arm of a condition around the event.
    """
    driven = (each for kind in _DRIVES for each in engine_events(run, engine, kind))
    return any(excludes(each.context, event.context) for each in driven) and _may_be_missing(run, engine)


def _may_be_missing(run: RunView, engine: Engine) -> bool:
    """Whether not every run makes the engine: a condition leads there, or other models are where it is called."""
    places = {event.location for event in engine_events(run, engine, Forward)}
    others = (event for event in run.events(Forward) if event.location in places and not is_call(engine, event))
    return any(undecided(engine.wrap)) or any(others)


def is_prepared(run: RunView, engine: Engine) -> bool:
    """Whether a trainer is handed the engine, or its optimizer, and drives it in its own way."""
    ours = {engine.made, *engine.optimizers}
    return any(
        not ours.isdisjoint(objects_in(value)) for event in run.events(Prepare) for value in event.operands.values()
    )


def is_trained(run: RunView, engine: Engine) -> bool:
    """Whether the program steps the engine, or an optimizer of it, or gave it something to train: not a reference."""
    ours = {engine.made, *engine.optimizers}
    stepped = (item for step in run.events(OptimizerStep) for item in objects(step.optimizer))
    return engine.has("optimizes") or bool(engine_events(run, engine, OptimizerStep)) or not ours.isdisjoint(stepped)


def is_call(engine: Engine, event: Event) -> bool:
    """Whether an event is a call of the engine or of a method of it."""
    roles = ("model", "engine", "optimizer", "object")
    return any(engine.made in objects(event.operands.get(role)) for role in roles)


def engine_events(run: RunView, engine: Engine, kind: type[_Happening]) -> list[_Happening]:
    """The events of a kind that are calls of the engine."""
    return [event for event in run.events(kind) if is_call(engine, event)]


def same_iteration(event: Event, others: Sequence[_Happening]) -> list[_Happening]:
    """Those of other events that happen in the same iteration of the loop around an event; without a loop, all.
    They may be in the other arm of a condition."""
    around = loops(event.context)
    return [each for each in others if not around or around[0] in loops(each.context)]


def are_exclusive(first: Event, second: Event) -> bool:
    """Whether two events are for different kinds of runs."""
    return excludes(first.context, second.context) or contradicts(first.context, second.context)


def comes_from(run: RunView, engine: Engine, loss: Value | None, before: Event) -> bool:
    """Whether a loss was surely computed from what the engine, when it was called, has given: where one call is made
    for several models, such as the one that learns and a reference, it is unknown which of them it is.
    """
    by_place: dict[Location, list[bool]] = defaultdict(list)
    for forward in forwards_behind(run, loss, before):
        by_place[forward.location].append(is_call(engine, forward))
    return any(map(all, by_place.values()))


def of_engine(engine: Engine, value: Value | None, context: Context) -> bool:
    """Whether parameters are surely, in the kind of run of a place, those of the engine or its model."""
    owners = [part.given.get("of", part) for part in objects_under(value, context)]
    return bool(owners) and all(engine.owns(owner) for owner in owners)


def is_whole_here(context: Context) -> bool:
    """Whether a place is inside of a context in which parameters are gathered."""
    return any(made.traits.get("gathers") for made in with_contexts(context))


def is_of_scaler(event: Event, api: ApiIndex) -> bool:
    """Whether a call is one of a method of what scales gradients."""
    owner = api.class_(event.api.rpartition(".")[0])
    return owner is not None and owner.kind == "scaler"
