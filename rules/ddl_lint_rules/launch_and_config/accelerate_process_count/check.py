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
    Location,
    Severity,
    accelerate_config,
    configured,
    directives_of,
    number_of,
    replacing,
    tree,
)

_REASON = "the intended number of processes is a guess from the GPUs of each node"
_MODES = ("multi_gpu", "use_deepspeed", "use_fsdp", "cpu", "tpu", "use_megatron_lm")
_SEVERAL = ("MULTI_GPU", "MULTI_CPU", "MULTI_NPU", "MULTI_XPU", "DEEPSPEED", "FSDP", "MEGATRON_LM")


def survey(around: JobsView) -> Iterable[Finding]:
    """One finding per configuration or launch, at the number of processes."""
    named: set[str] = set()
    overridden: set[str] = set()
    for launch in around.jobs.known_launches:
        if (file := accelerate_config(around, launch)) is not None:
            (overridden if _gives_sizes(launch) else named).add(file.path)
    for file in around.jobs.files.values():
        if file.kind != "yaml" or file.path in overridden or not _is_configuration(file):
            continue
        for found in _configuration(file):
            # Whoever starts a job with a template may give what is missing on the line.
            yield found if file.path in named else replace(found, severity=Severity.INFO)
    for launch in around.launches:
        yield from _line(around, launch)


def _gives_sizes(launch: Launch) -> bool:
    step = launch.step("accelerate")
    sizes = ("num_processes", "num_machines", "multi_gpu", "gpu_ids", "main_process_ip")
    return step is not None and (step.is_open or any(step.given(name) for name in sizes))


def _is_configuration(file: JobFile) -> bool:
    return configured(file, "distributed_type") is not None and (
        configured(file, "compute_environment") is not None or configured(file, "num_machines") is not None
    )


def _configuration(file: JobFile) -> Iterable[Finding]:
    node = configured(file, "num_processes")
    total, machines = tree.number(node), tree.number(configured(file, "num_machines")) or 1
    kind = tree.text(configured(file, "distributed_type")) or ""
    environment = tree.text(configured(file, "compute_environment")) or ""
    if (
        node is None
        or total is None
        or environment == "AMAZON_SAGEMAKER"
        or configured(file, "mpirun_config") is not None
    ):
        return
    place = file.place(node)
    machines_node = configured(file, "num_machines")
    evidence = (Evidence(f"{machines} machines", file.place(machines_node)),) if machines_node is not None else ()
    if machines > 1 and (total < machines or total % machines):
        message = Claim(f"`num_processes` counts all machines, and {total} cannot be divided among {machines}", "crash")
        yield Finding(
            message, place, evidence, help=f"Use a multiple of {machines}: machines times devices per machine."
        )
        return
    ip = configured(file, "main_process_ip")
    backend = tree.text(configured(file, "rdzv_backend")) or "static"
    if machines > 1 and (ip is None or tree.text(ip) in ("null", "", "~")) and backend == "static" and kind in _SEVERAL:
        where = ip or machines_node or node
        yield Finding(
            f"{machines} machines, but no `main_process_ip` where they meet",
            file.place(where),
            evidence,
            help="Set `main_process_ip` to the address of the first machine.",
            consequence="hang",
        )
        return
    ids = tree.text(configured(file, "gpu_ids")) or ""
    numbers = [each for each in ids.split(",") if each.strip().isdigit()]
    if machines == 1 and numbers and ids != "all" and len(numbers) < total and kind == "MULTI_GPU":
        yield Finding(
            f"{total} processes, but `gpu_ids` lists only {len(numbers)} devices",
            place,
            help="List one GPU per process in `gpu_ids`, or start fewer processes.",
            consequence="crash",
        )
        return
    if kind in ("NO", "False") and total > 1:
        kind_node = configured(file, "distributed_type")
        assert kind_node is not None
        message = Claim(f"with `distributed_type: {kind}` only one process runs, not {total}", "wrong-result")
        yield Finding(
            message,
            file.place(kind_node),
            (Evidence(f"{total} processes are requested here", place),),
            help="Set `distributed_type: MULTI_GPU`.",
        )


def _line(around: JobsView, launch: Launch) -> Iterable[Finding]:
    step = launch.step("accelerate")
    if step is None:
        return
    option = step.role("all_processes")
    total = number_of(option.value) if option is not None else None
    modes = [found for name in _MODES if (found := step.given(name)) is not None]
    if len(modes) > 1:
        first, second = modes[0].spelling, modes[1].spelling
        message = Claim(f"`{first}` and `{second}` are mutually exclusive", "crash")
        yield Finding(
            message, modes[1].location, (Evidence("the other mode", modes[0].location),), help="Keep one of the two."
        )
        return
    if option is None or total is None:
        return
    if step.given("multi_gpu") is not None and total == 1:
        yield Finding(
            "`--multi_gpu` needs at least 2 processes",
            option.location,
            help="Start one process per GPU, or drop `--multi_gpu`.",
            consequence="crash",
        )
        return
    nodes = step.role("nodes")
    machines = number_of(nodes.value) if nodes is not None else None
    if nodes is None or machines is None or machines < 2:
        return
    evidence = (Evidence(f"{machines} machines", nodes.location),)
    if total % machines:
        message = Claim(
            f"`--num_processes` counts all machines, and {total} cannot be divided among {machines}", "crash"
        )
        yield Finding(
            message,
            option.location,
            evidence,
            help=f"Use a multiple of {machines}: machines times devices per machine.",
        )
        return
    directives = directives_of(around, launch)
    gpus = directives.gpus_per_node if directives is not None else None
    if gpus is not None and total // machines != gpus and option.value is not None:
        meant = gpus * machines
        place: Location = option.value.location
        fix = replacing(f"Start {meant} processes", place, str(meant), _REASON) if place != option.location else None
        each = total // machines
        severity = None if each > gpus else Severity.WARNING
        consequence = "crash" if each > gpus else "wasted-work"
        yield Finding(
            f"{total} processes are {each} per machine, but each has {gpus} GPUs",
            option.location,
            evidence,
            severity=severity,
            fix=fix,
            help=f"For all GPUs of {machines} machines, start {meant} processes.",
            consequence=consequence,
        )
