"""Gives the learning rate that fits the number of processes."""

from __future__ import annotations

from collections.abc import Sequence

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    RunView,
    Unfixable,
    add_keyword,
    argument_of,
    by_world_size,
    code,
    file_of,
    parameter_of,
    undecided,
    value_of,
)
from ddl_lint.rulekit.events import BuildOptimizer


def scale(run: RunView, events: Sequence[Event], wrapper: Event | None = None) -> Fix:
    """`lr=args.lr` to `lr=args.lr * hvd.size()`; `wrapper` is where an optimizer is wrapped."""
    if wrapper is not None:
        for event in events:
            around = set(event.context.chain())
            if any(node.value is not None and node not in around for node in undecided(wrapper)):
                raise Unfixable("the optimizer is wrapped in some jobs only")
    api = wrapper.api if wrapper is not None else None
    return Fix(
        "Multiply the learning rate by the number of processes",
        tuple(dict.fromkeys(edit for event in events for edit in by_world_size(run, event, "learning_rate", "*", api))),
        Applicability.UNSAFE,
        "changes training; the rate may have been tuned for this number of processes",
    )


def name_rate(run: RunView, schedules: Sequence[Event]) -> Fix:
    """Gives the schedules of a function the rate that its optimizer has: `initial_lr=0.01 * hvd.size()`."""
    first = schedules[0]
    built = [
        event
        for event in run.events(BuildOptimizer)
        if event.function is first.function and event.location.path == first.location.path
    ]
    if len(built) != 1 or built[0].order > first.order:
        raise Unfixable("the optimizer's learning rate is not written next to it")
    file = file_of(run, first.location)
    made = file.node(built[0].location, code.Call)
    given = argument_of(run, built[0].api, made, "learning_rate")
    name = parameter_of(run, first.api, "learning_rate")
    if given is None or name is None:
        raise Unfixable("the optimizer's learning rate is not written next to it")
    rate = file.source(value_of(given))
    edits = tuple(add_keyword(file, file.node(each.location, code.Call), name, rate) for each in schedules)
    title = "Pass the optimizer's learning rate to the schedule"
    if run.versions_of(run.run.path).is_known(first.api.partition(".")[0]):
        return Fix(title, edits, Applicability.SAFE)
    return Fix(title, edits, Applicability.UNSAFE, "no pin of the project says that its version has the parameter")
