"""The arms between which an option of the script chooses, where no launch gives it: each is a job that may be started.

Where two arms wrap the model and a third does not, what is wrong with the third shows only in the run by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from ddl_lint.analysis.queries.job_classes import (
    JobClass,
    asks_options,
    conditions_on_options,
    decided,
    is_option,
    run_where,
)
from ddl_lint.analysis.queries.launch_values import never_given
from ddl_lint.analysis.values.contexts import branches
from ddl_lint.analysis.values.operators import applied
from ddl_lint.analysis.values.visitors import parts
from ddl_lint.analysis.view import RunView
from ddl_lint.jobs.job import Job, JobPart
from ddl_lint.program.event_types import BuildSampler, Forward, Prepare, SelectDevice, WrapModel
from ddl_lint.program.trace import Context
from ddl_lint.program.values import Apply, Const, Items, Setting, Value
from ddl_lint.source.span import Location

_SETS_UP = (WrapModel, Prepare, BuildSampler, SelectDevice)
"""How a program is distributed: an option that decides none of it chooses between no two kinds of jobs. Without a group
there is one process, and no two arms of a job."""

_MOST_ARMS = 16

_ANOTHER = "another"
"""What is given for any text with which an option is not compared."""


def arms(run: RunView) -> list[JobClass]:
    """The arms of a run in which something else happens than in any job, at most sixteen: each with one of the options
    that decide how it is distributed, and the others at their defaults.
    """
    if run.job is not None or not run.is_script or not run.has(*_SETS_UP):
        return []
    choosing = _choosing(run)
    given = {name for job in run.jobs for name in (*job.options, *job.flags)}
    free = [each for each in choosing if each.name not in given and f"no_{each.name}" not in given]
    usual = {each: each.default for each in free if each.default is not None and _is_text_or_flag(each.default)}
    found: list[JobClass] = []
    seen: set[frozenset[tuple[Value, bool]]] = set()
    for setting in free:
        for text in _texts(run, setting):
            arm = {**usual, setting: Const(text)}
            facts = frozenset(decided(run, partial(_with, arm)).items())
            if not facts or facts in seen or len(seen) == _MOST_ARMS:
                continue
            seen.add(facts)
            place, said = choosing[setting], _spelled(setting, text)
            job = Job(run.run.path, place)
            view = run_where(run, job, partial(_with, arm))
            if view is not None and _is_as_distributed(view, run) and _is_of_its_own(view, setting, text):
                decides = JobPart(f"is as {said} has it", place)
                unmet = never_given(run, setting, Const(text))
                found.append(JobClass(job, view, False, (decides,), said, unmet))
    return found


def _is_as_distributed(view: RunView, run: RunView) -> bool:
    """Whether an arm forms a group, if any arm of the run does: one process has no other to meet."""
    return bool(view.groups()) or not run.groups()


def _is_of_its_own(view: RunView, setting: Setting, value: bool | str) -> bool:
    """Whether somebody may mean a run to be so: a flag that is off, without an arm for that, leaves something out on
    purpose.
    """
    if value is not False:
        return True
    around = (node for event in view.events(*_SETS_UP) for node in branches(event.context))
    return any(node.value is not None and setting in parts(node.value) for node in around)


def _with(arm: Mapping[Setting, Value], value: Value) -> Value:
    """A value with those that an arm has for the options in it."""
    if isinstance(value, Setting):
        return arm.get(value, value)
    if isinstance(value, Apply):
        operands = [_with(arm, operand) for operand in value.operands]
        return applied(value, operands) if operands != list(value.operands) else value
    return value


def _is_text_or_flag(default: Value) -> bool:
    return isinstance(default, Const) and isinstance(default.value, (bool, str))


def _choosing(run: RunView) -> dict[Setting, Location]:
    """The options on which it depends how the program is distributed, and where each is asked first."""
    found: dict[Setting, Location] = {}
    seen: set[Context] = set()
    asked: set[Value] = set()
    for event in run.events(*_SETS_UP):
        for node in event.context.chain():
            if node in seen:
                break
            seen.add(node)
            if node.kind != "branch" or node.value is None or node.assumed or node.value in asked:
                continue
            asked.add(node.value)
            if asks_options(run, node.value):
                for part in parts(node.value):
                    if isinstance(part, Setting) and is_option(part):
                        found.setdefault(part, node.location)
    return found


def _texts(run: RunView, setting: Setting) -> Iterator[bool | str]:
    """What may be given for an option: its default first. Where something is set up for all that it is not compared
    with, and it is not said what else it may be, another text as well.
    """
    default = setting.default.value if isinstance(setting.default, Const) else None
    if isinstance(default, bool):
        yield from (default, not default)
    elif isinstance(default, str) or default is None:
        texts = [default] if isinstance(default, str) else []
        compared = list(_compared(run, setting))
        more = [_ANOTHER] if compared and not setting.choices and _has_else(run, setting) else []
        yield from dict.fromkeys((*texts, *compared, *setting.choices, *more))


def _has_else(run: RunView, setting: Setting) -> bool:
    """Whether something is set up, or trained, where an option is none of what it is compared with."""
    for event in run.events(*_SETS_UP, Forward):
        asked = [node for node in branches(event.context) if node.value is not None and setting in parts(node.value)]
        if asked and not any(node.arm for node in asked):
            return True
    return False


def _compared(run: RunView, setting: Setting) -> Iterator[str]:
    """The texts with which an option is compared."""
    for condition in run.once(conditions_on_options):
        for part in parts(condition):
            if isinstance(part, Apply) and (
                (part.operator == "==" and setting in part.operands)
                or (part.operator == "in" and setting == part.operands[0])
            ):
                for operand in part.operands:
                    each = operand.items if isinstance(operand, Items) else (operand,)
                    yield from (one.value for one in each if isinstance(one, Const) and isinstance(one.value, str))


def _spelled(setting: Setting, text: bool | str) -> str:
    """How people say that an option is given so."""
    if isinstance(text, bool):
        return f"`{setting.name}` {'on' if text else 'off'}"
    name = f"--{setting.name}" if setting.source == "argument" else setting.name
    return f"another `{name}`" if text == _ANOTHER else f"`{name} {text}`"
