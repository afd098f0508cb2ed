"""Finds numbers of processes that the launcher of Accelerate reads otherwise than they are meant."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ddl_lint.rulekit import (
    Claim,
    Evidence,
    Finding,
    JobFile,
    JobsView,
    Launch,
    Severity,
    accelerate_config,
    directives_of,
    replacing,
    tree,
)

_REASON = "the intended number of processes is a guess from the GPUs of each node"
_MODES = ("multi_gpu", "use_deepspeed", "use_fsdp", "cpu", "tpu", "use_megatron_lm")
_SEVERAL = ("MULTI_GPU", "MULTI_CPU", "MULTI_NPU", "MULTI_XPU", "DEEPSPEED", "FSDP", "MEGATRON_LM")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per configuration or launch, at the number of processes."""
    named: set[str] = set()
    overridden: set[str] = set()
    for launch in project.jobs.known_launches:
        if (file := accelerate_config(project, launch)) is not None:
            (overridden if _gives_sizes(launch) else named).add(file.path)
    for file in project.jobs.files.values():
        if file.kind != "yaml" or file.path in overridden or not _is_configuration(file):
            continue
        for found in _configuration(file):
            # Whoever starts a job with a template may give what is missing on the line.
            yield found if file.path in named else replace(found, severity=Severity.INFO)
    for launch in project.launches:
        yield from _line(project, launch)


def _gives_sizes(launch: Launch) -> bool:
    step = launch.step("accelerate")
    sizes = ("num_processes", "num_machines", "multi_gpu", "gpu_ids", "main_process_ip")
    return step is not None and (step.is_open or any(step.given(name) for name in sizes))


def _is_configuration(file: JobFile) -> bool:
    return file.node("distributed_type") is not None and (
        file.node("compute_environment") is not None or file.node("num_machines") is not None
    )


def _configuration(file: JobFile) -> Iterable[Finding]:
    def text(key: str) -> str:
        found = file.string(key)
        return found.value if found is not None else ""

    processes, several = file.number("num_processes"), file.node("num_machines")
    if processes is None or text("compute_environment") == "AMAZON_SAGEMAKER" or file.node("mpirun_config") is not None:
        return
    total, place, kind = processes.value, processes.place, text("distributed_type")
    machines = tree.number(several) or 1
    evidence = (Evidence(f"{machines} machines", file.place(several)),) if several is not None else ()
    if machines > 1 and (total < machines or total % machines):
        message = Claim(f"`num_processes` counts all machines, and {total} cannot be divided among {machines}", "crash")
        yield Finding(
            message, place, evidence, help=f"Use a multiple of {machines}: machines times devices per machine."
        )
        return
    ip = file.node("main_process_ip")
    is_static = text("rdzv_backend") in ("", "static")
    if machines > 1 and (ip is None or tree.text(ip) in ("null", "", "~")) and is_static and kind in _SEVERAL:
        where = ip or several
        yield Finding(
            f"{machines} machines, but no `main_process_ip` where they meet",
            file.place(where) if where is not None else place,
            evidence,
            help="Set `main_process_ip` to the address of the first machine.",
            consequence="hang",
        )
        return
    ids = text("gpu_ids")
    numbers = [each for each in ids.split(",") if each.strip().isdigit()]
    if machines == 1 and numbers and ids != "all" and len(numbers) < total and kind == "MULTI_GPU":
        yield Finding(
            f"{total} processes, but `gpu_ids` lists only {len(numbers)} devices",
            place,
            help="List one GPU per process in `gpu_ids`, or start fewer processes.",
            consequence="crash",
        )
        return
    chosen = file.string("distributed_type")
    if chosen is not None and kind in ("NO", "False") and total > 1:
        message = Claim(f"with `distributed_type: {kind}` only one process runs, not {total}", "wrong-result")
        yield Finding(
            message,
            chosen.place,
            (Evidence(f"{total} processes are requested here", place),),
            help="Set `distributed_type: MULTI_GPU`.",
        )


def _line(project: JobsView, launch: Launch) -> Iterable[Finding]:
    step = launch.step("accelerate")
    if step is None:
        return
    processes, nodes = step.number("all_processes"), step.number("nodes")
    modes = [found for name in _MODES if (found := step.given(name)) is not None]
    if len(modes) > 1:
        first, second = modes[0].spelling, modes[1].spelling
        message = Claim(f"`{first}` and `{second}` are mutually exclusive", "crash")
        yield Finding(
            message, modes[1].location, (Evidence("the other mode", modes[0].location),), help="Keep one of the two."
        )
        return
    if processes is None:
        return
    if step.given("multi_gpu") is not None and processes.value == 1:
        yield Finding(
            "`--multi_gpu` needs at least 2 processes",
            processes.place,
            help="Start one process per GPU, or drop `--multi_gpu`.",
            consequence="crash",
        )
        return
    if nodes is None or nodes.value < 2:
        return
    total, machines = processes.value, nodes.value
    evidence = (Evidence(f"{machines} machines", nodes.place),)
    if total % machines:
        message = Claim(
            f"`--num_processes` counts all machines, and {total} cannot be divided among {machines}", "crash"
        )
        yield Finding(
            message,
            processes.place,
            evidence,
            help=f"Use a multiple of {machines}: machines times devices per machine.",
        )
        return
    directives = directives_of(project, launch)
    gpus = directives.gpus_per_node if directives is not None else None
    if gpus is not None and total // machines != gpus:
        meant, written = gpus * machines, processes.written
        fix = replacing(f"Start {meant} processes", written, str(meant), _REASON) if written is not None else None
        each = total // machines
        severity = None if each > gpus else Severity.WARNING
        consequence = "crash" if each > gpus else "wasted-work"
        yield Finding(
            f"{total} processes are {each} per machine, but each has {gpus} GPUs",
            processes.place,
            evidence,
            severity=severity,
            fix=fix,
            help=f"For all GPUs of {machines} machines, start {meant} processes.",
            consequence=consequence,
        )
