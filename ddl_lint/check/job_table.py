"""What is believed about the launches of a project, as a table: for people who want to check it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path, PurePath

from ddl_lint.analysis.interpreter.project.codebase import name_of
from ddl_lint.analysis.jobs_view import JobsView
from ddl_lint.analysis.queries.engine_configs import engine_configs, literal
from ddl_lint.analysis.queries.launches import container_of
from ddl_lint.check.memory import Memory
from ddl_lint.check.pinned_versions import package_versions
from ddl_lint.check.project_files import project_jobs
from ddl_lint.jobs.arguments import script_options
from ddl_lint.jobs.file_names import is_job_file
from ddl_lint.jobs.job import Engine, Job, JobPart
from ddl_lint.jobs.launch import CONTAINERS, Launch, Step, number_of, programs_of
from ddl_lint.jobs.launch_facts import job_of
from ddl_lint.jobs.program_starts import may_start_jobs, program_starts
from ddl_lint.jobs.sizes import Sizes, sizes_of
from ddl_lint.jobs.versions import Versions
from ddl_lint.project.contents import Contents
from ddl_lint.project.inputs import Inputs
from ddl_lint.project.project_context import notebooks, projects, python_files

_BATCHES = (
    "per_device_train_batch_size",
    "micro_batch_size",
    "train_micro_batch_size",
    "batch_size",
    "batch_size_per_gpu",
)
_DIVIDING = ("tensor_model_parallel_size", "pipeline_model_parallel_size", "context_parallel_size")
"""Options of Megatron: over how many processes a model is divided."""

_PACKAGES = ("torch", "tensorflow", "deepspeed", "accelerate", "horovod", "lightning", "transformers")


@dataclass(frozen=True)
class JobRow:
    """One launch. Numbers are None where they are not known."""

    file: str
    """Relative to the working directory where it is below it."""

    line: int
    launchers: tuple[str, ...]
    """From the outermost program to the one that starts the script."""

    script: str
    """Its path in the project, or as it is written."""

    is_found: bool
    nodes: int | None
    processes: int | None
    """On each node."""

    world_size: int | None
    engine: str
    """What wraps the models, and by what that is chosen: `ZeRO-3 (--zero_stage 3)`; empty where nothing chooses."""

    batch: str
    """How the batch of a step is made up, where that is known: `8 x 16 = 128`."""

    versions: str
    container: str
    unknown: tuple[str, ...]
    """What is not known, and why."""


def job_rows(
    paths: Sequence[Path], overlay: Mapping[str, str] | None = None, memory: Memory | None = None
) -> tuple[list[JobRow], int]:
    """The launches of the projects around some files, those that are in these files; and how many files were read.

    Args:
        paths: The files, absolute.
        overlay: Path (POSIX) to a text that replaces the file's content, or is that of one that is not there yet.
        memory: What was read before, where the same projects are asked for again and again.
    """
    rows: list[JobRow] = []
    read = 0
    asked = {path.as_posix() for path in paths}
    memory = memory or Memory()
    for root, together in projects(paths).items():
        files = Contents(overlay or {}, memory.contents)
        launching = (path.as_posix() for path in together if is_job_file(path.as_posix()))
        jobs = project_jobs(root, files, (path.as_posix() for path in python_files(root)), launching, memory.jobs)
        read += len(asked & jobs.files.keys())
        scripts = {launch.script for launch in jobs.launches if launch.script is not None}
        hosts = {launch.host.path for launch in jobs.launches}
        programs = [path.as_posix() for path in (*python_files(root), *notebooks(root))]
        starting = [path for path in programs if path in asked and _may_start_jobs(path, files)]
        folders: dict[str, dict[str, str]] = {
            path: {} for path in (*jobs.files, *sorted({*scripts, *hosts, *starting}))
        }
        versions = package_versions(root, folders, Inputs()) if folders else None
        project = JobsView(jobs, versions.of if versions is not None else lambda _: Versions(), files.documents)
        batches = _engine_batches(project)
        for launch in project.launches:
            if launch.host.path in asked and (launch.entry is not None or launch.launcher is not None):
                rows.append(_row(project, launch, batches))
        for path in starting:
            rows += _own_rows(project, root, path, files)
        read += len({shown_path(path) for path in asked.intersection(programs)} & {row.file for row in rows})
    return sorted(rows, key=lambda row: (row.file, row.line)), read


def _row(project: JobsView, launch: Launch, batches: Callable[[Launch], str]) -> JobRow:
    sizes = _sizes(project, launch)
    nodes, processes, world = sizes.nodes.value, sizes.processes.value, sizes.world_size.value
    job = job_of(launch, launch.script or "", project.jobs)
    container = container_of(launch)
    image = container.image if container is not None and container.image else ""
    versions = _versions_of(project, launch, image)
    step = launch.step(*CONTAINERS)
    if step is not None and not image:
        image = step.program
    script = launch.script or (launch.entry.source if launch.entry is not None else "?")
    return JobRow(
        shown_path(launch.host.path),
        project.line(launch.location),
        tuple(programs_of(launch.all_steps)),
        shown_path(launch.script) if launch.script is not None else script,
        launch.script is not None,
        nodes,
        processes,
        world,
        _engine(job.engine) or _engine(job.asked_engine),
        batches(launch) or _batch(launch, world),
        versions,
        image,
        tuple(_unknown(launch, job, sizes) if versions else [*_unknown(launch, job, sizes), _NO_VERSIONS]),
    )


def _own_rows(project: JobsView, root: Path, path: str, files: Contents) -> Iterator[JobRow]:
    """The jobs that a program starts itself."""
    document, module = files.document(path), files.quiet_program(name_of(Path(path), root))
    if document is None or module is None:
        return
    for start in program_starts(path, document.text, module):
        launch_file = project.jobs.launch_file(path)
        script = project.jobs.paths.surely(start.script, launch_file, start.place.start) if start.script else path
        told = ", ".join(f"{name} {version}" for name, version in (start.versions or {}).items())
        versions = told or _versions((project.versions_of(script or path), project.versions_of(path)))
        unknown = [*start.unknown] if script is not None else [*start.unknown, _NOT_FOUND]
        yield JobRow(
            shown_path(path),
            project.line(start.place),
            (start.launcher,),
            shown_path(script) if script is not None else start.script or "?",
            script is not None,
            *(start.nodes, start.processes, start.world_size),
            Engine("deepspeed").title if start.engine else "",
            "",
            versions,
            "",
            tuple(unknown if versions else [*unknown, _NO_VERSIONS]),
        )


def _may_start_jobs(path: str, files: Contents) -> bool:
    data = files.bytes_of(path)
    return data is not None and may_start_jobs(data)


_NOT_FOUND = "the script is not found in the project"


def _engine(known: JobPart[Engine]) -> str:
    return f"{known.value.title} ({known.how.replace('`', '')})" if known.value is not None else ""


def _sizes(project: JobsView, launch: Launch) -> Sizes:
    """The size of a job; Python alone is one process, in each pod of a workload that has several."""
    if launch.launcher is not None or launch.step("srun") is not None:
        return sizes_of(launch, project.jobs)
    container = container_of(launch)
    pods = container.role.workload.roles if container is not None and container.role is not None else []
    if sum(role.replicas or 2 for role in pods) > 1:
        unknown = JobPart[int](how="each pod runs this by itself")
        return Sizes(unknown, JobPart(1), unknown)
    return Sizes(JobPart(1), JobPart(1), JobPart(1))


def _batch(launch: Launch, world: int | None) -> str:
    """The batch of each process times their number."""
    options = script_options(launch)
    each = next((number for name in _BATCHES if (number := number_of(options.get(name))) is not None), None)
    if each is None or world is None:
        return ""
    divided = [options[name] for name in _DIVIDING if name in options]
    if divided:  # the processes that share a model share its batch
        shares = prod(number_of(word) or 0 for word in divided)
        world = world // shares if shares and world % shares == 0 else None
        if world is None:
            return ""
    steps = number_of(options.get("gradient_accumulation_steps")) or 1
    factors = [each, world] if steps == 1 else [each, steps, world]
    return f"{' x '.join(map(str, factors))} = {each * steps * world}"


def _engine_batches(project: JobsView) -> Callable[[Launch], str]:
    """The batch of a launch by its configuration of DeepSpeed."""
    found: dict[int, str] = {}
    for config in engine_configs(project):
        micro = literal(config.get("train_micro_batch_size_per_gpu"))
        steps = literal(config.get("gradient_accumulation_steps")) or 1
        for launch in config.launches:
            if micro is not None and launch.world_size is not None:
                total = int(micro * steps * launch.world_size)
                found[id(launch)] = f"{int(micro)} x {int(steps)} x {launch.world_size} = {total}"
    return lambda launch: found.get(id(launch), "")


_NO_VERSIONS = "versions: nothing near the script pins them, and no image names them"


def _versions_of(project: JobsView, launch: Launch, image: str) -> str:
    """The packages that a job runs with: what is pinned near its script, or near the launch, and what its image has."""
    known = [project.versions_of(path) for path in (launch.script, launch.host.path) if path is not None]
    images = [image, *_images(launch)]
    if any(images):
        from ddl_lint.jobs.pins import versions_of_image  # brings in what can read versions

        known += map(versions_of_image, filter(None, images))
    return _versions(known)


def _versions(known: Sequence[Versions]) -> str:
    """The packages that something says of, as the first says that does."""
    shown = ((name, next(filter(None, (each.shown(name) for each in known)), "")) for name in _PACKAGES)
    return ", ".join(f"{name} {text}" for name, text in shown if text)


def _images(launch: Launch) -> Iterator[str]:
    """The images that the programs of a launch line run it in."""
    for step in launch.all_steps:
        option = step.given("container_image") if step.program == "srun" else None
        words = step.words if step.program in (*CONTAINERS, "singularity", "apptainer") else ()
        for word in (*words, *([option.value] if option is not None and option.value is not None else [])):
            if word.value is not None and ":" in word.value:
                yield word.value.replace("#", "/")


def _unknown(launch: Launch, job: Job, sizes: Sizes) -> list[str]:
    found: list[str] = []
    if job.engine.value is None and job.engine.how and job.asked_engine.value is None:
        found.append(f"what wraps the models: {job.engine.how.replace('`', '')}")
    for step in launch.all_steps:
        found += _unknown_options(step, sizes)
        if step.is_open:
            found.append(f"`{step.program}` may get more options from a variable")
    for what, known in (("nodes", sizes.nodes), ("processes", sizes.processes), ("world size", sizes.world_size)):
        if known.value is None and known.how and not any(known.how in each for each in found):
            found.append(f"{what}: {known.how}")
    if launch.entry is None:
        found.append("no word is certain to be the script")
    elif launch.script is None:
        written = launch.entry.value
        found.append("the script is a variable" if written is None else _NOT_FOUND)
    return found


def _unknown_options(step: Step, sizes: Sizes) -> list[str]:
    launcher = step.launcher
    numbers = {"nodes": sizes.nodes, "processes": sizes.processes, "all_processes": sizes.world_size}
    known = {role for role, number in numbers.items() if number.value is not None}
    roles = [name for role, name in launcher.roles.items() if role not in known] if launcher is not None else []
    found: list[str] = []
    for option in step.options:
        value = option.value
        if option.name in roles and value is not None and value.value is None:
            found.append(f"{option.spelling} is `{value.source}`")
    return found


def shown_path(path: str) -> str:
    """A path relative to the working directory, where it is below it."""
    pure, here = PurePath(path), Path.cwd()
    return pure.relative_to(here).as_posix() if pure.is_relative_to(here) else path
