"""The arms between which an option of the script chooses, where no launch gives it: each is a job that may be started.

Where two arms wrap the model and a third does not, what is wrong with the third shows only in the run by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from ddl_lint.analysis.queries.job_classes import JobClass, conditions_on_options, decided, is_option, run_in_job
from ddl_lint.analysis.queries.launch_values import never_given
from ddl_lint.analysis.values.visitors import parts
from ddl_lint.analysis.view import RunView
from ddl_lint.jobs.job import Job, Known
from ddl_lint.program.events import EventKind
from ddl_lint.program.trace import Context
from ddl_lint.program.values import Apply, Const, Items, Setting, Value
from ddl_lint.source.span import Location

_SETS_UP: tuple[EventKind, ...] = ("init_process_group", "wrap_model", "prepare", "build_sampler", "select_device")
"""What makes a program distributed: an option that decides none of it chooses between no two kinds of jobs."""

_MOST_ARMS = 16


def arms(run: RunView) -> list[JobClass]:
    """The arms of a run in which something else happens than in all others, at most sixteen."""
    if run.job is not None or not run.is_script or not run.has(*_SETS_UP):
        return []
    given = {name for job in run.jobs for name in (*job.options, *job.flags)}
    found: list[JobClass] = []
    seen: set[frozenset[tuple[Value, bool]]] = set()
    for setting, place in _choosing(run).items():
        if setting.name in given or f"no_{setting.name}" in given:
            continue
        for text in _texts(run, setting):
            said = _spelled(setting, text)
            job = Job(run.run.path, place, options={setting.name: Known(text, place, said)})
            facts = frozenset(decided(run, job).items())
            if not facts or facts in seen or len(seen) == _MOST_ARMS:
                continue
            seen.add(facts)
            view = run_in_job(run, job)
            if view is not None:
                decides = Known(f"is as {said} has it", place)
                found.append(JobClass(job, view, False, (decides,), said, never_given(run, setting, text)))
    return found


def _choosing(run: RunView) -> dict[Setting, Location]:
    """The options on which it depends how the program is distributed, and where each is asked first."""
    open_conditions = frozenset(conditions_on_options(run))
    found: dict[Setting, Location] = {}
    seen: set[Context] = set()
    for event in run.events(*_SETS_UP):
        for node in event.context.chain():
            if node in seen:
                break
            seen.add(node)
            if node.kind == "branch" and node.value is not None and node.value in open_conditions:
                for part in parts(node.value):
                    if isinstance(part, Setting) and is_option(part):
                        found.setdefault(part, node.location)
    return found


def _texts(run: RunView, setting: Setting) -> Iterator[str]:
    """What may be given for an option: its default first."""
    default = setting.default.value if isinstance(setting.default, Const) else None
    if isinstance(default, bool):
        yield from (str(default), str(not default))
        return
    texts = [default] if isinstance(default, str) else []
    texts += [text for text in _compared(run, setting) if isinstance(default, str) or default is None]
    yield from dict.fromkeys((*texts, *setting.choices))


def _compared(run: RunView, setting: Setting) -> Iterator[str]:
    """The texts with which an option is compared."""
    for condition in conditions_on_options(run):
        for part in parts(condition):
            if isinstance(part, Apply) and part.operator in ("==", "in") and setting in part.operands:
                for operand in part.operands:
                    each = operand.items if isinstance(operand, Items) else (operand,)
                    yield from (one.value for one in each if isinstance(one, Const) and isinstance(one.value, str))


def _spelled(setting: Setting, text: str) -> str:
    """How people say that an option is given so."""
    if isinstance(setting.default, Const) and isinstance(setting.default.value, bool):
        return f"`{setting.name}` {'on' if text == 'True' else 'off'}"
    return f"`--{setting.name} {text}`"
