"""Makes and compiles the model in the scope of the strategy."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    Object,
    RunView,
    asked_for,
    file_of,
    put_into_scope,
    reached_from,
)
from ddl_lint.rulekit.events import Compile

_REASON = "batches and learning rates that were chosen for one device are now those of all together"


def fix(run: RunView, strategy: Event, model: Object) -> Fix:
    """`with strategy.scope():` around the statements from the model to its compilation."""
    place = asked_for(run, model, strategy)
    file = file_of(run, place)
    first = last = file.place(place)
    for event in run.events(Compile):
        compiled = reached_from(event, strategy)
        if event.model is model and compiled.path == place.path:
            other = file.place(compiled)
            last = other if other.block is first.block and other.index > first.index else last
    edits = put_into_scope(run, strategy, first, last)
    return Fix("Make the model in the scope of the strategy", edits, Applicability.UNSAFE, _REASON)
