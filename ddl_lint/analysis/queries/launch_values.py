"""What values of a run are under the launches of its script: the world size, and the options that it is given."""

from __future__ import annotations

import re

from ddl_lint.analysis.values.contexts import undecided
from ddl_lint.analysis.values.operators import applied
from ddl_lint.analysis.values.visitors import parts
from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Evidence
from ddl_lint.program.trace import Event
from ddl_lint.program.values import Apply, Const, Setting, Value, WorldSize

_WHOLE = re.compile(r"-?\d{1,12}")


def started_processes(run: RunView) -> int | None:
    """The world size of the job, where all launches of the script agree."""
    return run.launch.processes.get(run.run.path)


def is_launched_there(run: RunView, event: Event) -> bool:
    """Whether the launches of the script get to an event, as far as options of the script decide it."""
    return not any(
        node.value is not None
        and any(isinstance(part, Setting) and part.source == "argument" for part in parts(node.value))
        and under_launch(run, node.value) != Const(node.arm)
        for node in undecided(event)
    )


def is_opt_in(run: RunView, event: Event) -> bool:
    """Whether an event happens only with an option that is off by default and that no launch of the project gives;
    the options with which the program trains are no such ones.
    """
    training = run.once(_training_conditions)
    return any(
        isinstance(known, Const) and bool(known.value) != node.arm
        for node in undecided(event)
        if node.value is not None and (node.value, node.arm) not in training
        for known in [by_default(run, node.value)]
    )


def _training_conditions(run: RunView) -> frozenset[tuple[Value | None, bool | None]]:
    """The conditions under which the program trains."""
    events = run.events("backward", "optimizer_step", "fit")
    return frozenset((node.value, node.arm) for event in events for node in undecided(event))


def under_launch(run: RunView, value: Value) -> Value:
    """A value with what all launches of the script say: its world size, its options, and their defaults where each
    launch can be read whole and none gives them.
    """
    if isinstance(value, WorldSize) and value.scope == "global":
        size = started_processes(run)
        return Const(size) if size is not None else value
    if isinstance(value, Setting) and value.source == "argument":
        return _given(run, value)
    if isinstance(value, Apply):
        known = [under_launch(run, operand) for operand in value.operands]
        if any(isinstance(each, Const) and isinstance(each.value, str) for each in value.operands):
            known = [_text(run, each) for each in known]  # what is compared with a text is one
        return applied(value, known) if known != list(value.operands) else value
    return value


def number_under_launch(run: RunView, value: Value | None) -> int | None:
    """The whole number that a value is under the launches of the script; None where that is not known."""
    known = under_launch(run, value) if value is not None else None
    number = known.value if isinstance(known, Const) else None
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def launch_evidence(run: RunView, note: str) -> tuple[Evidence, ...]:
    """Where the script is started first."""
    place = run.launch.places.get(run.run.path)
    return (Evidence(note, place),) if place is not None else ()


def _given(run: RunView, setting: Setting) -> Value:
    path, name = run.run.path, setting.name
    text = run.launch.arguments.get(path, {}).get(name)
    if text is not None:
        return Const(int(text)) if _WHOLE.fullmatch(text) else setting
    is_whole = name not in run.launch.without_others.get(path, {name})
    return setting.default if is_whole and isinstance(setting.default, Const) else setting


def by_default(run: RunView, value: Value) -> Value:
    """A value with the defaults of the options that nothing sets."""
    if isinstance(value, Setting) and value.source == "argument":
        is_kept = isinstance(value.default, Const) and not _may_be_given(run, value.name)
        return value.default if is_kept and value.default is not None else value
    if isinstance(value, Apply):
        known = [by_default(run, operand) for operand in value.operands]
        return applied(value, known) if known != list(value.operands) else value
    return value


def _may_be_given(run: RunView, name: str) -> bool:
    """Whether a launch of several processes may give the script an option, or a launch file speaks of it that may be
    meant for them.
    """
    path, launch = run.run.path, run.launch
    if path in launch.of_jobs:
        return name in launch.of_jobs[path]
    if path in launch.places and name in launch.without_others.get(path, {name}):
        return True
    return launch.may_give(name)


def _text(run: RunView, value: Value) -> Value:
    if not isinstance(value, Setting) or value.source != "argument":
        return value
    text = run.launch.arguments.get(run.run.path, {}).get(value.name)
    return value if text is None else Const(text)
