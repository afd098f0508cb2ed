"""How many processes a run represents: the one place that says whether "every rank" means more than one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ddl_lint.analysis.interpreter.project.entries import is_notebook
from ddl_lint.analysis.queries.averaging import has_own_group
from ddl_lint.analysis.queries.control_context import contradicts, is_joint, is_same_process
from ddl_lint.analysis.queries.launching import starts_several, variable_of
from ddl_lint.analysis.values.certainty import always, objects
from ddl_lint.analysis.values.contexts import branches, excludes, in_process, rank_guards, undecided
from ddl_lint.analysis.values.tags import RANK_TAGS, tags_of
from ddl_lint.analysis.values.visitors import parts
from ddl_lint.analysis.view import RunView
from ddl_lint.jobs.neighbourhood import is_within
from ddl_lint.program.event_types import (
    Backward,
    BuildSampler,
    Collective,
    Fit,
    InitProcessGroup,
    OptimizerStep,
    Prepare,
    SetEnvironment,
    Shard,
    StartProcesses,
    WrapModel,
)
from ddl_lint.program.events import OF_ALL_RANKS, CollectiveWhen
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import Const, DeviceCount, Flag, Rank, Value, WorldSize


def doubt_of_several(run: RunView) -> str | None:
    """Why there may be one process where a rule speaks of several, as a half sentence; empty where there is no doubt.
    None where there surely is only one.

    A notebook is one process unless it launches others. A script that sets up a process group, as the library that it
    uses wants, may be one, too: nothing is computed together, no rank does anything else than the others, and no launch
    line starts several. Code that nothing starts may be used by any job.
    """
    if run.run.single_process:
        return None
    if not run.is_script:
        return ""
    if _is_launched_alone(run):
        return "each launch line of this script starts one process"
    return "" if run.once(_shows_several) else _NOTHING_SHOWS


_NOTHING_SHOWS = "no launch line or rank check shows that several processes run this script"


def _is_launched_alone(run: RunView) -> bool:
    if is_started_alone(run):
        return True
    lines = run.launch.processes.get(run.run.path)
    return lines == 1 and not is_launched_as_several(run) and not starts_others(run)


def unlaunched(run: RunView) -> str:
    """Why no job of several processes that the project is known to start comes to this code, as a half sentence; empty
    where one may: a project that starts none says nothing of its jobs, nor does a neighbour.
    """
    if run.run.path not in run.launch.unlaunched:
        return ""
    if not run.is_script:
        return "no script that this project starts as several processes comes to this code"
    if is_launched_as_several(run) or starts_others(run) or run.once(_counts_itself):
        return ""
    return "no known launch of this project starts several processes of this script"


def _counts_itself(run: RunView) -> bool:
    """Whether a script says how many processes of this machine it is, without asking who starts it."""
    return any(map(_signs_of_machine, run.groups()))


def is_launched_as_several(run: RunView) -> bool:
    """Whether a launch line starts the script as more than one process."""
    path = run.run.path
    return run.launch.by_several.has(path) or run.launch.processes.get(path, 1) > 1


def is_started_alone(run: RunView) -> bool:
    """Whether the project starts a script, always as one process of Python that starts no others."""
    return run.run.path in run.launch.alone and not starts_others(run)


def is_of_parent(run: RunView, event: Event) -> bool:
    """Whether something happens in the process that starts the others of its job itself, and no launch several such."""
    return starts_others(run) and in_process(event) is None and not run.launch.may_start_several(run.run.path)


def starts_others(run: RunView) -> bool:
    """Whether the program itself starts the processes of its job."""
    return any(map(starts_several, run.events(StartProcesses)))


def _shows_several(run: RunView) -> bool:
    return is_launched_as_several(run) or is_joint(run) or starts_others(run) or _asks_for_ranks(run)


def _asks_for_ranks(run: RunView) -> bool:
    """Whether something that the program does, or when it does it, depends on the number of the process or on that of
    all.
    """
    events = [event for event in run.run.events if event.kind not in _SETTING_UP]
    return any(map(_depends, events)) or any(
        node.value is not None and _is_about_ranks(node.value)
        for event in events
        for node in event.context.chain()
        if node.kind == "branch"
    )


_SETTING_UP = (
    *("init_process_group", "declare_option", "read_environment"),
    *("query_process_group", "shard", "build_sampler"),
)
"""Whoever sets up a group, and divides the data among all that there are, says so much of ranks, also where there is
one process."""


def _depends(event: Event) -> bool:
    is_joint = event.collective_when in (*OF_ALL_RANKS, CollectiveWhen.WRAPS_MODEL)
    return is_joint or any(map(_is_about_ranks, event.operands.values()))


def _is_about_ranks(value: Value) -> bool:
    return bool(tags_of(value) & RANK_TAGS) or any(isinstance(part, WorldSize) for part in parts(value))


def doubt_of_trainer(run: RunView, event: Event) -> str | None:
    """As `doubt_of_several`, but of what a trainer does only in a job of several processes: the program must say that
    it is one, by its launch or by what it does on some ranks only. In a notebook it is so in what a launcher starts.
    """
    if is_notebook(run.run.path) and in_process(event) is None:
        return None
    doubt = doubt_of_several(run)
    if doubt != "" or not run.is_script:
        return doubt
    if is_launched_as_several(run):
        return ""
    return unlaunched(run) or ("" if run.once(_asks_for_ranks) else _NOTHING_SHOWS)


def doubt_of_wrapper(run: RunView, event: Event) -> str | None:
    """As `doubt_of_trainer`, but of what is so where a trainer wraps models in DDP: a launch line may choose an engine,
    or what shards them, instead. None where all do.
    """
    if run.run.path in run.launch.only_by_engine:
        return None
    doubt = doubt_of_trainer(run, event)
    if doubt == "" and run.launch.by_engine.has(run.run.path):
        return "a launch line of this script selects an engine that does not wrap models in DDP"
    return doubt


def meetings(run: RunView) -> Sequence[Event]:
    """Where several processes are known to come together: a group is made, or a trainer makes one, in a script that is
    launched as several, or that does something on some ranks only. The cells of a notebook are one process, which no
    trainer makes several of; those that a launcher starts are.
    """
    groups = run.groups()
    if groups or not (is_launched_as_several(run) or (run.once(_has_rank_guards) and not run.once(_trains_alone))):
        return groups
    return [event for event in run.providers("process_group") if _is_joined(run, event)]


def meeting_with(run: RunView, event: Event) -> tuple[Event, str] | None:
    """Where the processes to which an event happens come together, and why they may be one process only, as a half
    sentence that is empty where nothing says so: a program that trains nothing makes the group on another way only.
    """
    starts = [start for start in meetings(run) if is_same_process(start, event)]
    if not starts or not (run.groups() or is_launched_as_several(run) or _is_beside_guards(run, event)):
        return None
    sure = next((start for start in starts if not _is_elsewhere(run, start, event)), None)
    return (starts[0], _OTHER_WAY) if sure is None else (sure, "")


_OTHER_WAY = "the process group is created only if a setting asks for it"


def _is_elsewhere(run: RunView, start: Event, event: Event) -> bool:
    """Whether it depends on what has nothing to do with ranks, and that does not concern the event, whether the
    group is made.
    """
    if not run.is_script or is_launched_as_several(run) or run.has(Backward, OptimizerStep, Fit):
        return False
    around = {(node.location, node.arm) for node in branches(event.context)}
    return any(
        node.value is not None and (node.location, node.arm) not in around and not _is_of_the_job(node.value)
        for node in undecided(start)
        if node.location.path != run.run.path
    )


def _is_of_the_job(condition: Value) -> bool:
    """Whether a condition asks how many processes there are, or which one this is."""
    return _is_about_ranks(condition) or any(isinstance(part, (Flag, DeviceCount)) for part in parts(condition))


def _is_joined(run: RunView, provider: Event) -> bool:
    """Whether a call of a library makes the process that it is in one of a group; others start such processes, make
    what a trainer will be given, or a trainer for one process.
    """
    if provider.kind == "init_process_group":
        return False  # a group of one: others are among the groups of the run
    if is_notebook(run.run.path) and in_process(provider) is None:
        return False
    made = run.api.class_(provider.api)
    if made is not None and made.kind == "model":
        return False
    if any(made.traits.get("alone") or made.traits.get("by_servers") for made in objects(provider.result)):
        return False  # where servers keep the parameters, one process drives all others
    call = made.constructor if made is not None else run.api.function(provider.api)
    return call is not None and call.starts is None


def _trains_alone(run: RunView) -> bool:
    """Whether a program goes back through a model that nothing shares with other processes: what it asks of ranks may
    be taken from one that does.
    """
    is_shared = run.provides("gradient_sync") or run.has(*_SHARING)
    return run.has(Backward) and not is_shared


_SHARING = (WrapModel, Prepare, Fit, Collective, BuildSampler, Shard)


def _has_rank_guards(run: RunView) -> bool:
    return bool(run.once(_guarded))


def _is_beside_guards(run: RunView, event: Event) -> bool:
    """Whether something that only some ranks do may happen in a run that comes to an event: another command of the
    program does not say what this one is.
    """
    return not all(
        excludes(context, event.context) or contradicts(context, event.context) for context in run.once(_guarded)
    )


def _guarded(run: RunView) -> list[Context]:
    """The circumstances of what only some ranks do."""
    return list(dict.fromkeys(event.context for event in run.all_events if rank_guards(event.context)))


# --- nodes ------------------------------------------------------------------------------------------------------------

_LOOPBACK = re.compile(r"\b(?:localhost|127\.0\.0\.1)\b")


def is_on_one_node(run: RunView) -> bool:
    """Whether the groups of a run surely have the processes of one machine only: they meet at an address of this
    machine, they are as many as it has devices, or are numbered as its processes are.

    A job on several nodes that does not say what it runs starts this program only if nothing in it speaks against that.
    """
    if run.run.path in run.launch.on_several_nodes.paths:
        return False
    groups, may_be_started = run.groups(), _is_on_several_nodes(run)
    return bool(groups) and all(
        _meets_on_machine(run, init) or _signs_of_machine(init) > (1 if may_be_started else 0) for init in groups
    )


def may_span_nodes(run: RunView) -> bool:
    """Whether the groups of a run may have processes of several machines: nothing keeps them on one, and the program
    knows its number in the whole job, or is started on several.
    """
    if is_on_one_node(run):
        return False
    return has_own_group(run) or (bool(run.groups()) and (_is_on_several_nodes(run) or _knows_its_rank(run)))


def is_started_on_one_node(run: RunView) -> bool:
    """Whether the project starts several processes of a script, or of what is near it, and nowhere on several nodes."""
    jobs = [job for job in run.jobs if job.may_be_several]
    if jobs and all(job.nodes.value == 1 for job in jobs):
        return True
    if _is_on_several_nodes(run):
        return False
    path, launch = run.run.path, run.launch
    known = [folder for folder in (*launch.on_one_node, *launch.on_more_nodes) if is_within(path, folder)]
    nearest = max(known, key=len, default=None)
    return launch.by_several.has(path) or nearest in launch.on_one_node


def _is_on_several_nodes(run: RunView) -> bool:
    return run.launch.on_several_nodes.has(run.run.path)


def _knows_its_rank(run: RunView) -> bool:
    return any(
        isinstance(spelling.value, Rank) and spelling.value.scope == "global" and spelling.value.source != "name"
        for spelling in run.spellings()
    )


def _signs_of_machine(init: InitProcessGroup) -> int:
    """How many of the two numbers of a group are those of this machine: the rank, and the number of processes."""
    rank, size = init.rank, init.world_size
    is_numbered = isinstance(rank, Rank) and rank.scope == "local"
    return is_numbered + (size is not None and always(size, _is_of_machine))


def _meets_on_machine(run: RunView, init: InitProcessGroup) -> bool:
    """Whether the processes find each other at an address of this machine."""
    address = init.init_method
    if address is not None and _is_loopback(address):
        return True
    known = run.api.conventions.names.get("rendezvous_variables", ())
    return any(
        variable_of(event) in known and event.default is None and _is_loopback(event.operands["value"])
        for event in run.events(SetEnvironment)
        if event.order < init.order and event.value is not None
    )


def _is_of_machine(size: Value) -> bool:
    return isinstance(size, DeviceCount) or (isinstance(size, WorldSize) and size.scope == "local")


def _is_loopback(address: Value) -> bool:
    """Whether an address surely means this machine."""
    return always(address, lambda option: any(map(_names_this_machine, parts(option))))


def _names_this_machine(piece: Value) -> bool:
    return isinstance(piece, Const) and isinstance(piece.value, str) and _LOOPBACK.search(piece.value) is not None
