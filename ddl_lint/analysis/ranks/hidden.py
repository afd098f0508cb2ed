"""Whether the training loop of a run is in code that cannot be seen: then its trace says little of the training."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ddl_lint.analysis.view import RunView
from ddl_lint.program.event_types import Backward, ComputeGradients, Delegate, Fit, OptimizerStep
from ddl_lint.program.trace import Context
from ddl_lint.source.span import Location


@dataclass(frozen=True, slots=True)
class HiddenLoop:
    """The call that holds the training loop, by the name that it has in the code."""

    name: str
    location: Location


def hidden_loop(run: RunView) -> HiddenLoop | None:
    """The call in which a run trains, out of sight; None where it trains in the open, or there is no such call."""
    trains = [event.context for event in run.events(Backward, ComputeGradients, OptimizerStep, Fit)]
    for call, context in _calls(run):
        if all(_is_inside(other, call.location) for other in trains):
            return call if _is_of_script(context) else None
    return None


def _calls(run: RunView) -> Iterator[tuple[HiddenLoop, Context]]:
    """Calls that by their name hold a training loop: of what is unknown, then of a library that is known."""
    for call in run.run.unseen_training:
        yield HiddenLoop(call.name, call.location), call.context
    pattern = run.api.names_like("training_patterns")
    for event in run.events(Delegate):
        if "gradient_sync" in event.provides and pattern.search(event.api):
            yield HiddenLoop(event.api.rpartition(".")[2], event.location), event.context


def _is_inside(context: Context, call: Location) -> bool:
    """Whether code runs when this call calls it back."""
    return any(node.kind == "callback" and node.location == call for node in context.chain())


def _is_of_script(context: Context) -> bool:
    """Whether the call itself is made by the script, and not by a library that calls back."""
    return not any(node.kind == "callback" for node in context.chain())
