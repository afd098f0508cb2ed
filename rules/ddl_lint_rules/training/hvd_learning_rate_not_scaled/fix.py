"""Gives the learning rate that fits the number of processes."""

from __future__ import annotations

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
    value_of,
)


def scale(run: RunView, event: Event) -> Fix:
    """`lr=args.lr` to `lr=args.lr * hvd.size()`."""
    return Fix(
        "Multiply the learning rate by the number of processes",
        by_world_size(run, event, "learning_rate", "*"),
        Applicability.UNSAFE,
        "changes training; the rate may have been tuned for this number of processes",
    )


def name_rate(run: RunView, schedule: Event) -> Fix:
    """Gives a schedule the rate that the optimizer has: `initial_lr=0.01 * hvd.size()`."""
    built = [
        event
        for event in run.events("build_optimizer")
        if event.function is schedule.function and event.location.path == schedule.location.path
    ]
    if len(built) != 1 or built[0].order > schedule.order:
        raise Unfixable("the optimizer's learning rate is not written next to it")
    file = file_of(run, schedule.location)
    made = file.node(built[0].location, code.Call)
    given = argument_of(run, built[0].api, made, "learning_rate")
    name = parameter_of(run, schedule.api, "learning_rate")
    if given is None or name is None:
        raise Unfixable("the optimizer's learning rate is not written next to it")
    call = file.node(schedule.location, code.Call)
    edit = add_keyword(file, call, name, file.source(value_of(given)))
    return Fix("Pass the optimizer's learning rate to the schedule", (edit,), Applicability.SAFE)
