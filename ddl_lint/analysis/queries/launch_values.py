"""What values of a run are under the launches of its script: the world size, and the options that it is given."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import product
from math import prod
from typing import TypeGuard

from ddl_lint.analysis.queries.coherence import contexts_at
from ddl_lint.analysis.queries.job_size import starts_others
from ddl_lint.analysis.values.conditions import ANSWERS, truth_of
from ddl_lint.analysis.values.contexts import branches, undecided
from ddl_lint.analysis.values.lattice import alternatives, prune
from ddl_lint.analysis.values.operators import applied
from ddl_lint.analysis.values.setting_texts import WHOLE, setting_of
from ddl_lint.analysis.values.visitors import dependencies, parts
from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Evidence, Finding
from ddl_lint.jobs.job import Job
from ddl_lint.jobs.launch_facts import LaunchFacts
from ddl_lint.jobs.settings_files import ENDINGS
from ddl_lint.program.event_types import (
    Backward,
    Export,
    Fit,
    Load,
    LoadSharded,
    LoadState,
    OptimizerStep,
    Save,
    SaveSharded,
    StateDict,
)
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import Alternatives, Apply, Const, Items, Setting, Value, WorldSize
from ddl_lint.source.span import Location


def started_processes(run: RunView) -> int | None:
    """The world size of the job that is judged; of any job that on which all launches of the script agree."""
    if run.job is not None and run.job.world_size.value is not None:
        return run.job.world_size.value
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
    return _unset_by(run, event.context) is not None


def unset_option(run: RunView, finding: Finding) -> str:
    """Why no job that the project is known to start comes to the place of a finding, as a half sentence: only with an
    option, or with a value of one, that is not its default and that no launch or configuration gives. Empty where one
    may, and where the project does not say how it starts the script.
    """
    are_known = _given_by_jobs(run) is not None or _is_configured(run)
    unset = [_unset_by(run, context, are_known) for context in contexts_at(run, finding.location)]
    known = [each for each in unset if each is not None]
    return known[0] if known and len(known) == len(unset) else ""


def may_meet(run: RunView, finding: Finding, job: Job) -> bool:
    """Whether a job may come to the place of a finding: with what its launch gives, and the defaults of what it does
    not give, where it surely gives nothing else.
    """

    def of(setting: Setting) -> Value | None:
        is_variable = setting.source == "environment"
        return None if is_variable else _option(setting, job) or _by_default(setting, job)

    around = contexts_at(run, finding.location)
    return not around or any(
        not any(
            node.value is not None and not node.assumed and _is_against(_with(node.value, of), node.arm)
            for node in branches(context)
        )
        for context in around
    )


def is_about_checkpoint(run: RunView, finding: Finding) -> bool:
    """Whether a checkpoint is written or read at the place of a finding, or at one that it shows: jobs without one do
    not come there.
    """
    places = (finding.location, *(each.location for each in finding.evidence))
    return not run.once(_checkpoints).isdisjoint(places)


def _checkpoints(run: RunView) -> frozenset[Location]:
    events = run.events(Save, Load, SaveSharded, LoadSharded, Export, StateDict, LoadState)
    return frozenset(event.location for event in events)


def _unset_by(run: RunView, around: Context, are_known: bool = True) -> str | None:
    """The option that nothing sets so that the program would come to a place, as a half sentence; None where something
    may. Where it is not known how the project starts the script (`are_known`), only a switch of the environment tells.
    """
    training = run.once(_training_conditions)
    for node in branches(around):
        if node.assumed or node.value is None or (node.value, node.arm) in training:
            continue
        settings = {
            part
            for part in parts(node.value, below=dependencies)
            if isinstance(part, Setting) and ((are_known and _is_by_launch(run, part)) or _is_off_switch(run, part))
        }
        if settings and all(_is_against(known, node.arm) for known in _under_jobs(run, node.value, settings)):
            return _only_with(run, min(settings, key=lambda setting: setting.name))
    return None


_OFF = frozenset({"0", "false", "no", "off", "n", "f"})


def _is_off_switch(run: RunView, setting: Setting) -> bool:
    """Whether a setting is a variable of the environment that a program takes to be off, and that no launch file and
    no page speaks of: at most another program, which starts this one, sets it.
    """
    if setting.source != "environment" or not isinstance(setting.default, Const):
        return False
    is_off = str(setting.default.value).lower() in _OFF and setting.default.value is not None
    return is_off and not (run.may_set(setting.name) or run.launch.is_told(setting.name))


def _is_left_alone(run: RunView, setting: Setting) -> bool:
    """Whether no launch file, configuration or page speaks of a field with a default."""
    if setting.source != "field" or not isinstance(setting.default, Const):
        return False
    return not (_values(run, setting.name) or run.launch.is_told(setting.name))


def _is_by_launch(run: RunView, setting: Setting) -> bool:
    """Whether the launches decide a setting: an option, or a field under the name of one that all of them give. A file
    with settings may set any but those that all of them give.
    """
    is_option = setting.source == "argument" and not _is_configured(run)
    is_known = is_option or (setting.source != "environment" and _is_always_known(run, setting))
    return is_known or _is_left_alone(run, setting)


def _is_configured(run: RunView) -> bool:
    """Whether the launches of the script are known, and one of them names a file with settings."""
    return _given_by_jobs(run) is None and any(job.may_be_several for job in run.jobs)


def _is_always_known(run: RunView, setting: Setting) -> bool:
    """Whether all those jobs give an option, or a file that they name has its default."""
    jobs = [job for job in run.jobs if job.may_be_several]
    is_in_file = bool(jobs) and not isinstance(setting.default, Const) and setting.default is not None
    return _is_always_given(run, setting.name) or (is_in_file and all(_option(setting, job) for job in jobs))


def _is_always_given(run: RunView, name: str) -> bool:
    """Whether all jobs of several processes that the project surely starts give an option, and nothing unseen."""
    jobs = [job for job in run.jobs if job.may_be_several]
    names = {name, f"no_{name}"}
    return bool(jobs) and all(job.is_whole and (name in job.options or names & job.flags) for job in jobs)


def never_given(run: RunView, setting: Setting, value: Const) -> str:
    """Why no job that the project is known to start gives an option a value, as a half sentence: it is not its default,
    and no launch gives it. Empty where one may, and where the project does not say how it starts the script.
    """
    if _given_by_jobs(run) is None or value == setting.default:
        return ""
    given = _values(run, setting.name)
    may_be = any(text is None or setting_of(text, setting.default) in (value, None) for text in given)
    return "" if may_be else _only_with(run, setting)


def _is_against(known: Value, arm: bool | None) -> bool:
    return isinstance(known, Const) and bool(known.value) != arm


def _only_with(run: RunView, setting: Setting) -> str:
    name = setting.name
    if setting.source == "environment":
        return f"only with the environment variable `{name}`, which no launch of this project sets"
    if setting.source == "field" and not _values(run, name):
        return f"only with a value of `{name}` that no configuration of this project gives"
    if _is_configured(run) or any(_values(run, name)):
        return f"only with a value of `--{name}` that no launch of this project gives"
    return f"only with `--{name}`, which no launch of this project gives"


def _training_conditions(run: RunView) -> frozenset[tuple[Value | None, bool | None]]:
    """The conditions under which the program trains."""
    events = run.events(Backward, OptimizerStep, Fit)
    return frozenset((node.value, node.arm) for event in events for node in undecided(event))


def under_launch(run: RunView, value: Value) -> Value:
    """A value with what all launches of the script say: its world size, its options, and their defaults where each
    launch can be read whole and none gives them. In a job that is judged it is what its own launch says.
    """
    if run.job is not None:
        value = in_job(value, run.job)
    if isinstance(value, WorldSize) and value.scope == "global":
        size = started_processes(run)
        return Const(size) if size is not None else value
    if isinstance(value, Setting) and value.source == "argument":
        return _given(run, value)
    if isinstance(value, Apply) and value.operator == ANSWERS:
        return _answers_left(value, lambda each: under_launch(run, each))
    if isinstance(value, Apply):
        known = [under_launch(run, operand) for operand in value.operands]
        if any(isinstance(each, Const) and isinstance(each.value, str) for each in value.operands):
            known = [_text(run, each) for each in known]  # what is compared with a text is one
        return applied(value, known) if known != list(value.operands) else value
    return _left(value, lambda each: under_launch(run, each)) if isinstance(value, Alternatives) else value


def _left(choice: Alternatives, known: Callable[[Value], Value]) -> Value:
    """What is left of a choice once more is known of its conditions."""
    conditions = {condition for labels, _ in choice.options for condition, _ in labels}
    truths = ((condition, truth_of(known(condition))) for condition in conditions)
    left = prune(choice, {condition: truth for condition, truth in truths if truth is not None})
    return left if isinstance(left, Alternatives) else known(left)


def _answers_left(test: Apply, known: Callable[[Value], Value]) -> Value:
    """The same of a test of each of several values, whose answers are kept in the order of these."""
    subject, answers = test.operands
    if not isinstance(subject, Alternatives) or not isinstance(answers, Items):
        return test
    left = alternatives(_left(subject, known))
    pairs = zip(subject.options, answers.items, strict=True)
    found = {known(answer) for (_, option), answer in pairs if option in left}
    return found.pop() if len(found) == 1 else test


def in_job(value: Value, job: Job) -> Value:
    """A value with what the launch of a job gives for the options in it, and with its world size."""
    if isinstance(value, Setting) and value.source == "argument":
        return _option(value, job) or value
    if isinstance(value, WorldSize) and value.scope == "global" and job.world_size.value is not None:
        return Const(job.world_size.value)
    if isinstance(value, Alternatives):
        return _left(value, lambda each: in_job(each, job))
    if isinstance(value, Apply) and value.operator == ANSWERS:
        return _answers_left(value, lambda each: in_job(each, job))
    if isinstance(value, Apply):
        operands = [in_job(operand, job) for operand in value.operands]
        return applied(value, operands) if operands != list(value.operands) else value
    return value


def as_launched(value: Value, job: Job) -> Value:
    """A value as the launch of a job leaves it: as in `in_job`, with the defaults of what it surely does not give."""
    return _with(in_job(value, job), lambda setting: _by_default(setting, job))


def _by_default(setting: Setting, job: Job) -> Value | None:
    """The default of an option that a launch surely does not give."""
    is_given = setting.name in job.options or bool({setting.name, f"no_{setting.name}"} & job.flags)
    return setting.default if job.is_whole and setting.source == "argument" and not is_given else None


def _option(setting: Setting, job: Job) -> Const | None:
    """What a launch gives for an option; None where that is not known. A default may be another one by then, by
    `set_defaults` or by a file with settings, unless it names that file, or is written there.
    """
    option, default = job.options.get(setting.name), setting.default
    if isinstance(default, Alternatives):
        default = in_job(default, job)
    if option is None and job.is_whole and setting.name not in job.flags and _is_of_settings(default):
        return default
    if option is not None and option.value is not None:
        return setting_of(option.value, default)
    like = default.value if isinstance(default, Const) else None
    if setting.name in job.flags:
        return Const(not like) if isinstance(like, bool) else None
    if f"no_{setting.name}" in job.flags and isinstance(like, bool):
        return Const(False)
    return None


def _is_of_settings(default: Value | None) -> TypeGuard[Const]:
    """Whether a default names a file with settings, or is written in one."""
    if not isinstance(default, Const):
        return False
    written = default.location is not None and default.location.path.endswith(ENDINGS)
    return written or (isinstance(default.value, str) and default.value.endswith(ENDINGS))


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
        return Const(int(text)) if WHOLE.fullmatch(text) else setting
    is_whole = name not in run.launch.without_others.get(path, {name})
    return setting.default if is_whole and isinstance(setting.default, Const) else setting


def by_default(run: RunView, value: Value) -> Value:
    """A value with the defaults of the options that nothing sets."""
    return _with(
        value, lambda each: each.default if each.source == "argument" and not _values(run, each.name) else None
    )


def as_set(run: RunView, value: Value) -> Value:
    """A value with what the launches set, and with the defaults of the options and fields that nothing sets."""

    def of(setting: Setting) -> Value | None:
        return None if setting.source == "environment" or _values(run, setting.name) else setting.default

    return _with(under_launch(run, value), of)


_MAX_WAYS = 16


def _under_jobs(run: RunView, value: Value, settings: Collection[Setting]) -> Iterator[Value]:
    """A value under each way in which the options in it may be set, as far as that is known."""
    ways = {setting: list(_ways(run, setting)) for setting in settings}
    if prod(map(len, ways.values())) > _MAX_WAYS:
        yield value
        return
    for chosen in product(*ways.values()):
        way = dict(zip(ways, chosen, strict=True))
        yield _with(value, way.get)


def _ways(run: RunView, setting: Setting) -> Iterator[Value]:
    """The default of an option, where some job does not give it, and what jobs give."""
    if _is_always_known(run, setting):
        yield from dict.fromkeys(_option(setting, job) or setting for job in run.jobs if job.may_be_several)
        return
    yield setting.default if isinstance(setting.default, Const) else setting
    for text in _values(run, setting.name):
        yield (setting_of(text, setting.default) if text is not None else None) or setting


def _with(value: Value, of: Callable[[Setting], Value | None]) -> Value:
    """A value with others for the options in it, where there are such."""
    if isinstance(value, Setting):
        known = of(value)
        return known if isinstance(known, Const) else value
    if isinstance(value, Alternatives):
        return _left(value, lambda each: _with(each, of))
    if isinstance(value, Apply) and value.operator == ANSWERS:
        return _answers_left(value, lambda each: _with(each, of))
    if isinstance(value, Apply):
        operands = [_with(operand, of) for operand in value.operands]
        return applied(value, operands) if operands != list(value.operands) else value
    return value


def _values(run: RunView, name: str) -> frozenset[str | None]:
    """What launches of several processes may give an option of the script, or a launch file writes after it that may be
    meant for them; None for what is not known.
    """
    path, launch = run.run.path, run.launch
    jobs = _given_by_jobs(run)
    given = (jobs or {}).get(name, frozenset())
    if path in (launch.without_others if starts_others(run) else launch.of_jobs):
        return given
    if jobs is None and path in launch.places and name in launch.without_others.get(path, {name}):
        return frozenset({None})
    return given | run.once(_written)[name]


def _given_by_jobs(run: RunView) -> Mapping[str, frozenset[str | None]] | None:
    """The options that the launches of the job give, with the values; None where the project starts no such job. A
    program that starts its processes itself is launched as one.
    """
    launch = run.launch
    return (launch.values_of_starts if starts_others(run) else launch.values_of_jobs).get(run.run.path)


class _Written(dict[str, frozenset[str | None]]):
    """What launch files write after an option, looked for once."""

    def __init__(self, launch: LaunchFacts) -> None:
        super().__init__()
        self._launch = launch

    def __missing__(self, option: str) -> frozenset[str | None]:
        self[option] = values = self._launch.written_values(option)
        return values


def _written(run: RunView) -> _Written:
    return _Written(run.launch)


def _text(run: RunView, value: Value) -> Value:
    if not isinstance(value, Setting) or value.source != "argument":
        return value
    text = run.launch.arguments.get(run.run.path, {}).get(value.name)
    return value if text is None else Const(text)
