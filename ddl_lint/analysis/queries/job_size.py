"""How many processes a run stands for: the one place that says whether "every rank" means more than one."""

from __future__ import annotations

import re

from ddl_lint.analysis.interpreter.entries import is_notebook
from ddl_lint.analysis.queries.control_context import is_joint
from ddl_lint.analysis.queries.launching import starts_several, variable_of
from ddl_lint.analysis.values.certainty import always
from ddl_lint.analysis.values.contexts import in_process
from ddl_lint.analysis.values.tags import RANK_TAGS, tags_of
from ddl_lint.analysis.values.visitors import parts
from ddl_lint.analysis.view import RunView
from ddl_lint.program.events import CollectiveWhen
from ddl_lint.program.trace import Event
from ddl_lint.program.values import Const, DeviceCount, Rank, Value, WorldSize


def doubt_of_several(run: RunView) -> str | None:
    """Why there may be one process where a rule speaks of several, as a half sentence; empty where there is no doubt.
    None where there surely is only one.

    A notebook is one process unless it launches others. A script that sets up a process group, as the library that it
    uses wants, may be one, too: nothing is computed together, no rank does anything else than the others, and no launch
    line starts several. Code that nobody starts may be used by any job.
    """
    if run.run.single_process:
        return None
    if not run.is_script:
        return ""
    if _is_launched_alone(run):
        return "each launch line of this script starts one process"
    return "" if run.once(_shows_several) else "nothing shows that several processes run this script"


def _is_launched_alone(run: RunView) -> bool:
    path = run.run.path
    starts_others = any(map(starts_several, run.events("start_processes")))
    return run.launch.processes.get(path) == 1 and not run.launch.by_several.has(path) and not starts_others


def _shows_several(run: RunView) -> bool:
    path = run.run.path
    launched = run.launch.by_several.has(path) or run.launch.processes.get(path, 1) > 1
    return launched or is_joint(run) or any(map(starts_several, run.events("start_processes"))) or _asks_for_ranks(run)


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
    return event.collective_when is CollectiveWhen.ALWAYS or any(map(_is_about_ranks, event.operands.values()))


def _is_about_ranks(value: Value) -> bool:
    return bool(tags_of(value) & RANK_TAGS) or any(isinstance(part, WorldSize) for part in parts(value))


def doubt_of_trainer(run: RunView, event: Event) -> str | None:
    """As `doubt_of_several`, for what a trainer does only in a job of several processes: the program must say that it
    is one, by its launch or by what it does on some ranks only. In a notebook it is so in what a launcher starts.
    """
    if is_notebook(run.run.path) and in_process(event) is None:
        return None
    doubt = doubt_of_several(run)
    if doubt != "" or not run.is_script:
        return doubt
    path = run.run.path
    is_told = run.launch.by_several.has(path) or run.launch.processes.get(path, 1) > 1
    return "" if is_told or run.once(_asks_for_ranks) else "nothing shows that several processes run this script"


# --- nodes ------------------------------------------------------------------------------------------------------------

_LOOPBACK = re.compile(r"\b(?:localhost|127\.0\.0\.1)\b")


def is_on_one_node(run: RunView) -> bool:
    """Whether the groups of a run surely have the processes of one machine only: they meet at an address of this
    machine, they are as many as it has devices, or are numbered as its processes are.
    """
    if run.launch.on_several_nodes.has(run.run.path):
        return False
    groups = run.groups()
    return bool(groups) and all(_is_local(run, init) for init in groups)


def _is_local(run: RunView, init: Event) -> bool:
    rank, size = init.operands.get("rank"), init.operands.get("world_size")
    if isinstance(rank, Rank) and rank.scope == "local":
        return True
    if size is not None and always(size, _is_of_machine):
        return True
    address = init.operands.get("init_method")
    if address is not None and _is_loopback(address):
        return True
    known = run.api.conventions.names.get("rendezvous_variables", ())
    return any(
        variable_of(event) in known and "default" not in event.operands and _is_loopback(event.operands["value"])
        for event in run.events("set_environment")
        if event.order < init.order and "value" in event.operands
    )


def _is_of_machine(size: Value) -> bool:
    return isinstance(size, DeviceCount) or (isinstance(size, WorldSize) and size.scope == "local")


def _is_loopback(address: Value) -> bool:
    """Whether an address surely means this machine."""
    return always(address, lambda option: any(map(_names_this_machine, parts(option))))


def _names_this_machine(piece: Value) -> bool:
    return isinstance(piece, Const) and isinstance(piece.value, str) and _LOOPBACK.search(piece.value) is not None
