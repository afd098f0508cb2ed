"""What the launches of a project say of each script that they start, for those who follow that script."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from ddl_lint.jobs import tree
from ddl_lint.jobs.arguments import may_have_more, script_options
from ddl_lint.jobs.engines import asked_engine, launched_engine
from ddl_lint.jobs.job import Job, JobPart
from ddl_lint.jobs.known import facts
from ddl_lint.jobs.launch import Launch, Step, number_of, take_apart
from ddl_lint.jobs.neighbourhood import is_within
from ddl_lint.jobs.project_jobs import Jobs, JobText
from ddl_lint.jobs.sizes import configured, directed_nodes, on_several_nodes, sizes_of
from ddl_lint.jobs.slurm import Directives
from ddl_lint.jobs.words import Word
from ddl_lint.source.span import Location

_ONE_EACH = re.compile(r"(?:.*:)?1")
_BOUND = re.compile(r".*(?:single|per_task|map_gpu)")
_BOUND_TO_ONE = re.compile(r"(?:gres/gpu:)?(?:verbose,)?(?:single:1|per_task:1|map_gpu:\d+(?:,\d+)+)")
_LOCAL_RANK = re.compile(r"--local[-_]rank\b")
_PLAIN = r"""["']?([\w.][\w.+-]*)["']?(?=[\s,}\]\\;]|$)"""
_IN_NOTEBOOK = re.compile(
    rb"\btorchrun\b|-m\s+torch\.distributed\.(?:run|launch)\b|\baccelerate\s+launch\b|\bdeepspeed\s+[-\w./]|"
    rb"\b(?:horovodrun|mpirun|mpiexec|srun|sbatch)\s|\"\s*%%px\b"
)


@dataclass(frozen=True, slots=True)
class Scripts:
    """Some scripts of a project, as launch files name them."""

    paths: frozenset[str] = frozenset()

    folders: frozenset[str] = frozenset()
    """A launch file that names no script may mean any in, or below, the folder that it belongs to."""

    def has(self, path: str) -> bool:
        """Whether a script, given by its path, is one of them."""
        return path in self.paths or any(is_within(path, folder) for folder in self.folders)


@dataclass(frozen=True, slots=True)
class LaunchFacts:
    """Scripts are given by their paths."""

    with_one_device: Scripts = Scripts()
    """Each process of these may see a single GPU, so that index 0 is right everywhere."""

    shown_one_device: Mapping[str, Location] = field(default_factory=lambda: MappingProxyType({}))
    """Script that Slurm starts as several tasks of a node, each of which sees one GPU only -> what says so."""

    with_local_rank: Scripts = Scripts()
    """These may get their local rank as an option, from the launch line or from a launcher that gives it so."""

    by_torchrun: Scripts = Scripts()
    """These are started by a launcher that tells the processes their numbers by the environment only."""

    by_old_launcher: Scripts = Scripts()
    """`torch.distributed.launch` starts these, or others near these, and passes the local rank, spelled as its release
    has it."""

    on_one_node: frozenset[str] = frozenset()
    """The folders of programs that launches start as several processes, always on one node."""

    on_more_nodes: frozenset[str] = frozenset()
    """Those of programs that some launch starts on several nodes, or on a number of them that is not known."""

    on_several_nodes: Scripts = Scripts()
    """A launch starts these on more than one node, or on a number of nodes that is not known."""

    by_several: Scripts = Scripts()
    """A launch starts these as more than one process, or as a number of them that is not known."""

    unlaunched: frozenset[str] = frozenset()
    """No launch starts these as several processes, though one starts something that is near them."""

    alone: frozenset[str] = frozenset()
    """Each launch of these is Python's own, of one process."""

    starts_others: bool = False
    """Whether a launcher of PyTorch starts several processes of a script that its line does not name."""

    by_engine: Scripts = Scripts()
    """A launch tells the framework to have the models of these wrapped by an engine, or by what shards them, and none
    surely leaves them to DDP.
    """

    only_by_engine: frozenset[str] = frozenset()
    """Every launch of these that a launcher makes does so."""

    jobs: Mapping[str, tuple[Job, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Script -> the jobs that launches surely start it as, in the order of the launches."""

    processes: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """Script -> the world size, where all launches that may start it agree."""

    told_local_rank: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Script -> the launch file in which a launcher passes it `--local_rank`."""

    arguments: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: MappingProxyType({}))
    """Script -> the options that all its launches give it, with underscores, and their values."""

    without_others: Mapping[str, frozenset[str]] = field(default_factory=lambda: MappingProxyType({}))
    """Script whose launches can be read whole -> all options that any of them gives it."""

    of_jobs: Mapping[str, frozenset[str]] = field(default_factory=lambda: MappingProxyType({}))
    """Script whose launches can be read whole, some of which start several processes -> the options that those give."""

    values_of_jobs: Mapping[str, Mapping[str, frozenset[str | None]]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    """Script that is started as several processes, never with a configuration file that may set options of its own ->
    the options that those launches give it, with the values; None for a flag, and for a value that is not known.
    """

    values_of_starts: Mapping[str, Mapping[str, frozenset[str | None]]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    """The same of each script that is started at all, by all its launches: it may start its processes itself."""

    made_folders: Mapping[str, frozenset[str]] = field(default_factory=lambda: MappingProxyType({}))
    """Script -> its options with a folder that each launch which gives the option makes before."""

    places: Mapping[str, Location] = field(default_factory=lambda: MappingProxyType({}))
    """Script -> where the first launch is that starts it."""

    launched: frozenset[str] = frozenset()
    """These are started by a launch, so that they are scripts whatever they look like."""

    texts: tuple[tuple[str, str], ...] = ()
    """The launch files themselves, and those that build the image of the job, each after the folder whose scripts, and
    those below it, it speaks of."""

    mentioned: frozenset[str] = frozenset()
    """The words of the pages that tell people how to use the project, and the keys of its files with settings."""

    named_in: Mapping[str, frozenset[int]] = field(default_factory=lambda: MappingProxyType({}))
    """Script -> which of the texts name it."""

    def may_start_several(self, path: str) -> bool:
        """Whether a launch starts several processes of a script, or may mean it."""
        return self.starts_others or self.by_several.has(path)

    def may_set(self, variable: str, script: str) -> bool:
        """Whether a launch file, or one that builds the image of the job, gives a script an environment variable."""
        word, naming = re.compile(rf"\b{re.escape(variable)}\b"), self.named_in.get(script, frozenset[int]())
        return any(
            word.search(text) is not None
            for number, (folder, text) in enumerate(self.texts)
            if is_within(script, folder) or number in naming
        )

    def is_told(self, name: str) -> bool:
        """Whether a page, or a file with settings, speaks of an option, a field or a variable."""
        return not self.mentioned.isdisjoint((name, name.replace("_", "-")))

    def may_give(self, option: str) -> bool:
        """Whether a launch file speaks of an option, which is spelled with underscores here."""
        return bool(self.written_values(option))

    def written_values(self, option: str) -> frozenset[str | None]:
        """What launch files write after an option, which is spelled with underscores here, or after a key of that name;
        None where that is no plain word.
        """
        spelled = re.escape(option).replace("_", "[-_]")
        written = re.compile(
            rf"(?<![\w-])-{{1,2}}{spelled}(?![\w-])(?:[ \t=]+{_PLAIN})?|^\s*\W?{spelled}\W?\s*[:=](?:[ \t]*{_PLAIN})?",
            re.MULTILINE,
        )
        found = (match for _, text in self.texts for match in written.finditer(text))
        return frozenset(match[1] or match[2] for match in found)


_WORD = re.compile(r"[A-Za-z][\w-]*\w")


def starts_processes(data: bytes) -> bool:
    """Whether a notebook starts the processes of a job by a shell command, or runs its cells in several of them."""
    return _IN_NOTEBOOK.search(data) is not None


class _Started(NamedTuple):
    """A launch with the scripts that it may mean."""

    launch: Launch
    sure: str | None
    possible: frozenset[str]


def launch_facts(jobs: Jobs) -> LaunchFacts:
    """What launch files, and the pages that tell people how to launch, say of each script."""
    started = [_meant(launch, jobs) for launch in jobs.known_launches]
    several_nodes = _where(started, lambda launch: on_several_nodes(launch, jobs))
    several = _where(started, lambda launch: _as_several(launch, jobs))
    unnamed_several = [
        each.launch.host.path for each in started if _is_unnamed(each.launch) and _as_several(each.launch, jobs)
    ]
    one_device = _where(started, lambda launch: _has_one_device(launch, jobs), surely=False)
    naming = {id(each.host) for each in jobs.launches if each.entry is not None and each.entry.pattern != "$"}
    unnamed = [text for text in jobs.texts if id(text.host) not in naming]

    by_engine = _where(started, lambda launch: _by_engine(launch, jobs))
    home = jobs.neighbourhood.home

    def folders(so: Callable[[JobText], bool]) -> frozenset[str]:
        return frozenset(home(text.file.path) for text in unnamed if so(text))

    def homes(so: Callable[[Launch], bool]) -> frozenset[str]:
        return frozenset(home(each.launch.host.path) for each in started if so(each.launch))

    more_nodes = homes(lambda launch: on_several_nodes(launch, jobs)) | folders(_text_has_several_nodes)
    return LaunchFacts(
        with_one_device=Scripts(one_device, folders(_text_binds_devices)),
        shown_one_device=_shown_one_device(started, jobs),
        with_local_rank=Scripts(_where(started, _tells_local_rank, surely=False)),
        by_torchrun=Scripts(_where(started, lambda launch: launch.step("torchrun") is not None)),
        by_old_launcher=Scripts(
            _where(started, _by_old_launcher), homes(_by_old_launcher) - homes(lambda each: bool(each.step("torchrun")))
        ),
        on_one_node=homes(lambda launch: _as_several(launch, jobs)) - more_nodes,
        on_more_nodes=more_nodes,
        on_several_nodes=Scripts(several_nodes, folders(_text_has_several_nodes)),
        by_several=Scripts(several),
        unlaunched=_unlaunched(started, several, unnamed_several, jobs),
        alone=_where(started, lambda launch: True) - _where(started, lambda each: not _is_alone(each), surely=False),
        starts_others=bool(unnamed_several),
        by_engine=Scripts(by_engine - _where(started, lambda launch: _leaves_to_ddp(launch, jobs))),
        only_by_engine=by_engine - _where(started, lambda each: _is_without_engine(each, jobs), surely=False),
        jobs=_jobs(started, jobs),
        processes=_sizes(started, jobs),
        told_local_rank=_told_local_rank(started),
        arguments=_arguments(started),
        without_others=_without_others(started),
        of_jobs=_of_jobs(started),
        values_of_jobs=_values([each for each in started if not _is_alone(each.launch)], several),
        values_of_starts=_values(started, {each.sure for each in started if each.sure is not None}),
        made_folders=_made_folders(started, jobs),
        places={each.sure: each.launch.location for each in reversed(started) if each.sure is not None},
        launched=frozenset(launch.script for launch in jobs.known_launches if launch.script is not None),
        texts=tuple((home(file.path), file.text) for file in jobs.files.values()),
        mentioned=jobs.setting_keys.union(*(_WORD.findall(text) for text in jobs.pages.values())),
        named_in=_named_in(started, jobs),
    )


def _meant(launch: Launch, jobs: Jobs) -> _Started:
    entry = launch.entry
    if launch.script is not None or entry is None:
        return _Started(launch, launch.script, frozenset(filter(None, [launch.script])))
    if launch.host.path not in jobs.files:
        return _Started(launch, None, frozenset())
    written = f"{entry.pattern.replace('.', '/')}.py" if launch.is_module else entry.pattern
    file = jobs.launch_file(launch.host.path)
    return _Started(launch, None, jobs.paths.possibly(written, file, launch.location.start))


def _named_in(started: Iterable[_Started], jobs: Jobs) -> Mapping[str, frozenset[int]]:
    numbers = {path: number for number, path in enumerate(jobs.files)}
    found: dict[str, set[int]] = {}
    for each in started:
        for script in each.possible if each.launch.host.path in numbers else ():
            found.setdefault(script, set()).add(numbers[each.launch.host.path])
    return {script: frozenset(naming) for script, naming in found.items()}


def _where(started: Iterable[_Started], so: Callable[[Launch], bool], *, surely: bool = True) -> frozenset[str]:
    """The scripts that some launch starts in a certain way."""
    found: set[str] = set()
    for each in started:
        scripts = each.possible if not surely else {each.sure} if each.sure is not None else ()
        if scripts and not found.issuperset(scripts) and so(each.launch):
            found.update(scripts)
    return frozenset(found)


def _unlaunched(
    started: Sequence[_Started], several: frozenset[str], unnamed: Iterable[str], jobs: Jobs
) -> frozenset[str]:
    """The programs near those that launches start, but for those that they start as several processes, or by other
    means than Python alone, and for what is near a launch that may mean any.
    """
    near, meant = jobs.neighbourhood, {*unnamed}
    several = several | _where(started, lambda launch: not _is_alone(launch), surely=False)

    def is_near(path: str, others: Iterable[str]) -> bool:
        return any(not near.are_apart(path, other) for other in others)

    starts = {near.home(path): path for each in started for path in each.possible}.values()
    left = (path for path in jobs.scripts if path not in several)
    return frozenset(path for path in left if is_near(path, starts) and not is_near(path, meant))


# --- devices and local ranks ------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _environment() -> tuple[frozenset[str], re.Pattern[str]]:
    """The variables that choose devices, and how those are written that hold the local rank."""
    known = facts("environment")
    return frozenset(known["devices"]), re.compile("|".join(rf"\${{?{name}\b" for name in known["local_ranks"]))


def _chooses_one(word: Word | None) -> bool:
    return word is not None and _environment()[1].search(word.source) is not None


def _has_one_device(launch: Launch, jobs: Jobs) -> bool:
    command = launch.command
    if any(_chooses_one(command.environment(name)) for name in _environment()[0]):
        return True
    text = jobs.text_of(launch)
    return _binds_one(launch.step("srun")) or (text is not None and jobs.once(_text_binds_devices, text))


def _binds_one(step: Step | None) -> bool:
    """Whether Slurm gives each task one device."""
    each = step.given("gpus_per_task") if step is not None else None
    bound = step.given("gpu_bind") if step is not None else None
    if each is not None and each.value is not None and _ONE_EACH.fullmatch(each.value.value or ""):
        return True
    return bound is not None and bound.value is not None and _BOUND.match(bound.value.value or "") is not None


def _shown_one_device(started: Iterable[_Started], jobs: Jobs) -> Mapping[str, Location]:
    found: dict[str, Location] = {}
    for each in started:
        if each.sure is not None and each.sure not in found and (place := one_device_per_task(each.launch, jobs)):
            found[each.sure] = place
    return found


def one_device_per_task(launch: Launch, jobs: Jobs) -> Location | None:
    """What has Slurm show one GPU to each of several tasks of a node; None where it does not, or may not."""
    step, text = launch.step("srun"), jobs.text_of(launch)
    directives = text.directives if text is not None else None
    if step is None or step.is_open or launch.launcher is not None or (directives and not directives.is_plain):
        return None
    if any(launch.command.environment(name) is not None for name in _environment()[0]):
        return None
    bound = _asked_of(step, directives, "gpu_bind") or _asked_of(step, directives, "tres_bind")
    asked = bound or _asked_of(step, directives, "gpus_per_task")
    if asked is None or not (_BOUND_TO_ONE if bound else _ONE_EACH).fullmatch(asked[0]):
        return None
    each, total, nodes = (
        int(found[0]) if (found := _asked_of(step, directives, name)) and found[0].isdigit() else None
        for name in ("ntasks_per_node", "ntasks", "nodes")
    )
    is_several = each > 1 if each is not None else total is not None and total > (nodes or 1)
    return asked[1] if is_several else None


def _asked_of(step: Step, directives: Directives | None, name: str) -> tuple[str, Location] | None:
    """What a step of Slurm, or the batch script for it, asks for, and where."""
    option = step.given(name)
    if option is not None:
        return (option.value.value or "") if option.value is not None else "", option.location
    directive = directives.effective.get(name) if directives is not None else None
    return (directive.value, directive.location) if directive is not None else None


def _text_binds_devices(text: JobText) -> bool:
    """Whether a whole file gives each process one device."""
    if text.directives is not None:
        each, bound = (text.directives.effective.get(name) for name in ("gpus_per_task", "gpu_bind"))
        if (each is not None and _ONE_EACH.fullmatch(each.value)) or (bound is not None and _BOUND.match(bound.value)):
            return True
    names, _ = _environment()
    assigned = text.shell.assignments
    ranks = "|".join(re.escape(each.name) for each in assigned if each.name not in names and _chooses_one(each.value))
    holds_rank = re.compile(rf"\${{?({ranks})\b") if ranks else None
    for each in assigned:
        if each.name in names and (_chooses_one(each.value) or (holds_rank and holds_rank.search(each.value.source))):
            return True
    return any(_binds_one(step) for step in _steps(text, "srun"))


def _steps(text: JobText, program: str) -> Iterator[Step]:
    for command in text.shell.commands:
        if any(word.value == program for word in command.words):
            yield from (step for step in take_apart(command) if step.program == program)


def _tells_local_rank(launch: Launch) -> bool:
    passed = any(step.launcher is not None and step.launcher.passes for step in launch.all_steps)
    return passed or any(_LOCAL_RANK.match(word.head) for word in launch.arguments)


def _by_old_launcher(launch: Launch) -> bool:
    step = launch.step("torch.distributed.launch")
    return step is not None and step.given("use_env") is None


def _told_local_rank(started: Iterable[_Started]) -> Mapping[str, str]:
    """The scripts to which a launcher passes `--local_rank`, each with the launch file."""
    found: dict[str, str] = {}
    for each in started:
        step = each.launch.launcher
        launcher = step.launcher if step is not None else None
        if each.sure is None or step is None or launcher is None or not launcher.passes or step.is_open:
            continue
        if not any(step.given(name) for name in launcher.passes_unless):
            found.setdefault(each.sure, each.launch.host.path)
    return found


# --- sizes ------------------------------------------------------------------------------------------------------------


def _text_has_several_nodes(text: JobText) -> bool:
    if directed_nodes(text):
        return True
    options = (step.role("nodes") for step in _steps(text, "srun"))
    return any(option is not None and number_of(option.value) not in (0, 1) for option in options)


def _is_unnamed(launch: Launch) -> bool:
    is_torch = launch.step("torchrun", "torch.distributed.launch") is not None
    return is_torch and launch.entry is not None and not launch.entry.pattern.strip("$")


def _as_several(launch: Launch, jobs: Jobs) -> bool:
    step = launch.launcher
    launcher = step.launcher if step is not None else None
    if step is None or launcher is None:
        return False
    if (sizes_of(launch, jobs).world_size.value or 1) > 1:
        return True
    options = {role: step.role(role) for role in ("processes", "all_processes", "nodes")}
    counts = [number_of(option.value) for option in options.values() if option is not None]
    several = any(count != 1 for count in counts)
    if options["processes"] is None and options["all_processes"] is None:
        number = tree.number(configured(launch, jobs, "num_processes"))
        several = several or (number is not None and number > 1)
    given = {option.name for option in step.options}
    shares = "*" in launcher.several or not launcher.several.isdisjoint(given)
    return several or (shares and launcher.several_unless.isdisjoint(given))


def _is_alone(launch: Launch) -> bool:
    """Whether a launch is one process of Python, without a launcher, and nothing says that it is one of several."""
    command = launch.command
    is_single = len(launch.all_steps) == 1 and launch.launcher is None and launch.step("srun") is None
    return (
        is_single
        and launch.host.kind in ("shell", "makefile", "guide", "notebook")
        and not command.in_background
        and not any(command.environment(name) for name in _NUMBERS)
        and not any(_IS_ONE.match(word.source) for word in launch.arguments)
    )


_NUMBERS = frozenset({"RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "SLURM_PROCID", "TF_CONFIG"})
"""Variables that a process is given which is one of several."""

_IS_ONE = re.compile(
    r"--?(?:[\w-]*rank|(?:world|dist|num|n|multi|master)[-_]?(?:size|url|gpus?|nodes?|proc|addr)[\w-]*)\b"
)
"""Options of a process that is one of several, or starts them."""


def _sizes(started: Iterable[_Started], jobs: Jobs) -> Mapping[str, int]:
    """With how many processes each script is started, where all launches agree that may start it."""
    counts: dict[str, set[int | None]] = {}
    for each in started:
        launch = each.launch
        if launch.launcher is None and launch.step("srun") is None:
            continue
        for script in each.possible:
            counts.setdefault(script, set()).add(sizes_of(launch, jobs).world_size.value if each.sure else None)
    return {script: count for script, found in counts.items() for count in found if count and len(found) == 1}


# --- configurations and arguments -------------------------------------------------------------------------------------


def _by_engine(launch: Launch, jobs: Jobs) -> bool:
    """Whether the launcher is given an engine, or something that shards models."""
    engine = launched_engine(launch, jobs).value
    return engine is not None and engine.name != "ddp"


def _is_without_engine(launch: Launch, jobs: Jobs) -> bool:
    """Whether a launcher starts a script that may start several processes, and is given no engine."""
    return launch.launcher is not None and not _by_engine(launch, jobs)


def _leaves_to_ddp(launch: Launch, jobs: Jobs) -> bool:
    """Whether a launch of several processes surely has nothing wrap models but DDP. What asks the user once, and keeps
    the answers elsewhere, may say that there is an engine.
    """
    step = launch.launcher
    launcher = step.launcher if step is not None else None
    if step is None or launcher is None or _by_engine(launch, jobs) or not _as_several(launch, jobs):
        return False
    is_configured = not launcher.engines or configured(launch, jobs, "distributed_type") is not None
    return step.program != "deepspeed" and (is_configured or step.given("multi_gpu") is not None)


def _jobs(started: Iterable[_Started], jobs: Jobs) -> Mapping[str, tuple[Job, ...]]:
    """The jobs of each script of which a launch surely starts it."""
    found: dict[str, list[Job]] = {}
    for each in started:
        if each.sure is not None:
            found.setdefault(each.sure, []).append(job_of(each.launch, each.sure, jobs))
    return {script: tuple(those) for script, those in found.items()}


def job_of(launch: Launch, script: str, jobs: Jobs) -> Job:
    """What a launch starts, of a script given by its path."""
    step = launch.launcher
    given, sizes = script_options(launch), sizes_of(launch, jobs)
    options = {
        name: JobPart(word.value, word.location)
        for name, word in given.items()
        if word is not None and word.value is not None
    }
    return Job(
        script,
        launch.location,
        step.program if step is not None else "srun" if launch.step("srun") is not None else "",
        launched_engine(launch, jobs),
        asked_engine(launch, jobs),
        sizes.world_size,
        sizes.nodes,
        options,
        frozenset() if may_have_more(launch) else frozenset(name for name, word in given.items() if word is None),
        not may_have_more(launch),
    )


def _arguments(started: Iterable[_Started]) -> Mapping[str, Mapping[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for each in started:
        options = script_options(each.launch)
        for script in each.possible:
            here = {name: word.value for name, word in options.items() if word is not None and word.value is not None}
            if each.sure is None or may_have_more(each.launch):
                here = {}
            before = found.setdefault(script, here)
            found[script] = {name: text for name, text in before.items() if here.get(name) == text}
    return {script: given for script, given in found.items() if given}


def _without_others(started: Iterable[_Started]) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    opened: set[str] = set()
    for each in started:
        if each.sure is None or may_have_more(each.launch):
            opened |= each.possible
        for script in each.possible:
            found.setdefault(script, set()).update(script_options(each.launch))
    return {script: frozenset(names) for script, names in found.items() if script not in opened}


def _of_jobs(started: Iterable[_Started]) -> Mapping[str, frozenset[str]]:
    jobs = [each for each in started if not _is_alone(each.launch)]
    sure = {each.sure for each in jobs}
    return {script: names for script, names in _without_others(jobs).items() if script in sure}


def _values(started: Iterable[_Started], scripts: Iterable[str]) -> Mapping[str, Mapping[str, frozenset[str | None]]]:
    found: dict[str, dict[str, set[str | None]]] = {script: {} for script in scripts}
    for each in started:
        for script in each.possible & found.keys() if any(map(_is_configuration, each.launch.arguments)) else ():
            del found[script]
        for name, word in script_options(each.launch).items():
            for script in each.possible & found.keys():
                found[script].setdefault(name, set()).add(word.value if word is not None else None)
    return {script: {name: frozenset(values) for name, values in options.items()} for script, options in found.items()}


_CONFIGURED = re.compile(
    r"--?(?:[\w-]*[-_])?(?:conf|cfg|config|yaml)(?:s|[-_]?(?:file|path)s?)?(?:=.*)?|.*\.(?:ya?ml|toml)\W?"
)


def _is_configuration(word: Word) -> bool:
    """Whether a word names a file with settings of the script, or says that the next one does."""
    return _CONFIGURED.fullmatch(word.source) is not None


def _made_folders(started: Iterable[_Started], jobs: Jobs) -> Mapping[str, frozenset[str]]:
    """The options whose value is a folder that the text of the launch makes by `mkdir`, for each script."""
    made: dict[str, set[str]] = {}
    others: dict[str, set[str]] = {}
    for each in started:
        folders = _folders(each.launch, jobs)
        for name, word in script_options(each.launch).items():
            is_made = word is not None and _is_in(word.source, folders)
            for script in each.possible:
                (made if is_made else others).setdefault(script, set()).add(name)
    return {script: frozenset(names - others.get(script, set())) for script, names in made.items()}


def _folders(launch: Launch, jobs: Jobs) -> list[str]:
    """The folders that the text of a launch makes before it, as they are written."""
    text = jobs.text_of(launch)
    commands = text.shell.commands if text is not None else ()
    earlier = (each for each in commands if each.name == "mkdir" and each.location.start < launch.location.start)
    return [word.source.rstrip("/") for each in earlier for word in each.words[1:] if not word.head.startswith("-")]


def _is_in(path: str, folders: Iterable[str]) -> bool:
    """Whether a path is one of some folders, or above one of them."""
    path = path.rstrip("/")
    return any(folder == path or folder.startswith(f"{path}/") for folder in folders)
