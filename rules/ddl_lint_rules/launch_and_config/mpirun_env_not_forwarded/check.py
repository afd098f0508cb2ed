"""Finds exported variables that mpirun does not hand on."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ddl_lint.rulekit import Evidence, Finding, JobsView, Launch, Step, hosts_of, inserting, is_under_slurm

_NAMES = ("LD_LIBRARY_PATH", "PATH", "PYTHONPATH", "OMP_NUM_THREADS", "CUDA_VISIBLE_DEVICES")
_PREFIXES = ("NCCL_", "HOROVOD_")
_LOCAL = re.compile(r"localhost|127\.\d+\.\d+\.\d+")
_OTHERS = ("genvall", "genvlist", "envlist", "genv", "hosts", "ppn", "perhost")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per launch, at `mpirun`."""
    for launch in project.launches:
        step = launch.step("mpirun")
        hosts = hosts_of(launch)
        if step is None or hosts is None or step.is_open or all(map(_LOCAL.fullmatch, hosts)):
            continue
        if any(step.given(name) for name in _OTHERS) or _has_list(step):
            continue
        if is_under_slurm(project, launch) and not _uses_ssh(step):
            continue  # Open MPI starts its daemons through srun, which hands on the environment
        missing = _missing(launch, step)
        if not missing:
            continue
        shown = ", ".join(f"`{name}`" for name in missing[:3]) + (" and more" if len(missing) > 3 else "")
        first = launch.command.exported[missing[0]]
        anchor = step.options[0].key if step.options else step.word.location
        text = "".join(f"-x {name} " for name in missing)
        yield Finding(
            f"mpirun does not forward {shown} to processes on other hosts",
            step.word.location,
            (Evidence(f"`{missing[0]}` is exported here", first.location),),
            fix=inserting("Forward the variables with -x", anchor.path, anchor.start, text),
            help=f"Add `{text.strip()}`.",
        )


def _missing(launch: Launch, step: Step) -> list[str]:
    given = {
        option.value.head.partition("=")[0]
        for option in step.options
        if option.name == "x" and option.value is not None
    }
    wanted = [name for name in launch.command.exported if name in _NAMES or name.startswith(_PREFIXES)]
    return [name for name in wanted if name not in given]


def _uses_ssh(step: Step) -> bool:
    """Whether a line tells Open MPI to start its daemons by ssh, whatever the cluster offers."""
    pairs = ((option.value, option.extra) for option in step.options if option.name == "mca")
    return any(
        key is not None and value is not None and key.value == "plm" and value.value in ("rsh", "ssh", "^slurm")
        for key, value in pairs
    )


def _has_list(step: Step) -> bool:
    return any(
        option.name == "mca" and option.value is not None and option.value.value == "mca_base_env_list"
        for option in step.options
    )
