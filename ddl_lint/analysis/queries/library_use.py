"""What is known of code that no script starts: how a caller in a job of several processes would use it.

Its arguments are unknown, and so is whether all processes call it. A call that all must make together, on the way that
a caller enters, shows that they do: else that call would not return.
"""

from __future__ import annotations

from typing import cast

from ddl_lint.analysis.queries.control_context import is_rank_guarded
from ddl_lint.analysis.values.certainty import objects
from ddl_lint.analysis.values.contexts import excludes, in_handler, records_gradients
from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Evidence
from ddl_lint.program.events import OF_ALL_RANKS, CollectiveWhen
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import Unknown


def joint_use(run: RunView, event: Event) -> Event | None:
    """A call that shows that all processes of a job come to an event of code that no script starts: one that they make
    together, whenever a caller enters where it does to come to the event. None in a script, which says it itself.
    """
    if run.is_script:
        return None
    way = entered(event.context)
    if way is None:
        return None
    beside = (each for each in run.once(_joint) if entered(each.context) is way)
    return next((each for each in beside if _goes_with(each, event)), None)


def is_of_job(run: RunView) -> bool:
    """Whether a run is a program, or code that no script starts in which all processes do something together."""
    return run.is_script or bool(run.once(_joint))


def as_caller(joint: Event) -> Evidence:
    """What shows that a finding in such code is one: how it was followed, and that all processes come there."""
    return Evidence(
        "followed as a caller in a job of several ranks would use it: all of them make this call", joint.location
    )


def beside_callers(run: RunView, event: Event) -> tuple[Evidence, ...]:
    """What a finding in code that no script starts says of how the code was followed; nothing in a script."""
    if run.is_script:
        return ()
    return (
        Evidence("no script starts this: followed as a caller in a job of several ranks would use it", event.location),
    )


def is_given(value: Unknown) -> bool:
    """Whether something unknown is what a caller gives, or an attribute of that."""
    origin = value.origin
    while isinstance(origin, tuple):
        parts = cast("tuple[object, ...]", origin)
        if parts[:1] == ("parameter",):
            return True
        origin = parts[0] if parts else None
    return False


def _joint(run: RunView) -> list[Event]:
    """The calls that all ranks make together, wherever a caller enters."""
    return [event for event in run.run.events if _is_joint(event) and not is_rank_guarded(event)]


def _is_joint(event: Event) -> bool:
    """Whether all ranks make a call together, the backward of what a wrapper gives included."""
    if event.collective_when in _TOGETHER:
        return True
    models = objects(event.operands.get("model")) if event.kind == "forward" else ()
    return any(made.traits.get("synchronizes_gradients") for made in models) and records_gradients(event.context)


_TOGETHER = OF_ALL_RANKS | {CollectiveWhen.WRAPS_MODEL}


def _goes_with(joint: Event, event: Event) -> bool:
    return not excludes(joint.context, event.context) and not in_handler(joint)


def entered(context: Context) -> Context | None:
    """Where a caller enters code that no script starts: the outermost function or method."""
    return next((node for node in reversed(list(context.chain())) if node.function is not None), None)
