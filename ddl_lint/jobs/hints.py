"""What the shell files of a project say about a launch, as far as single words tell it.

These hints only make rules careful, or tell that a job spans nodes; they prove no fault of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from ddl_lint.jobs.file_names import RECIPES
from ddl_lint.jobs.launch_paths import SCRIPT, LaunchFile, LaunchPaths

_LARGEST = 200_000  # bytes; a launch file is short

_ONE_DEVICE = re.compile(
    r"--gpus-per-task[= ]1\b|--gpu-bind[= ]\S*(?:single|per_task|map_gpu)|"
    r"CUDA_VISIBLE_DEVICES=[\"']?\$\{?(?:SLURM_LOCALID|"
    r"OMPI_COMM_WORLD_LOCAL_RANK|MPI_LOCALRANKID|LOCAL_RANK|PALS_LOCAL_RANKID|PMI_LOCAL_RANK)"
)
_NODES = re.compile(r"(?:--nnodes|--num_nodes|--num_machines|#SBATCH\s+(?:--nodes|-N)|\s-N)[= ]\s*[\"']?(\$?\{?\w+)")
_TORCHRUN = re.compile(r"\btorchrun\b|\btorch\.distributed\.run\b")
_LOCAL_RANK = re.compile(r"(?m)^[^#\n]*(?:\bdeepspeed\s|--local[-_]rank\b)")
_LAUNCHER = re.compile(r"\btorchrun\b|-m\s+torch\.distributed\.(?:run|launch)\b")
_PROCESSES = re.compile(r"--nproc[-_]per[-_]node[= ]\s*[\"']?(\d+)\b")
_NODE_COUNT = re.compile(r"--nnodes[= ]\s*[\"']?([\w${}:]+)")
_ANY_LAUNCHER = re.compile(
    r"\btorchrun\b|-m\s+torch\.distributed\.(?:run|launch)\b|\baccelerate\s+launch\b|(?P<all>\bdeepspeed\s)"
)
_IN_NOTEBOOK = re.compile(
    rb"\btorchrun\b|-m\s+torch\.distributed\.(?:run|launch)\b|\baccelerate\s+launch\b|\bdeepspeed\s+[-\w./]|"
    rb"\b(?:horovodrun|mpirun|mpiexec|srun|sbatch)\s|\"\s*%%px\b"
)
_COUNTS = re.compile(
    r"--(?:nproc[-_]per[-_]node|nnodes|num[-_](?:processes|gpus|nodes|machines))[= ]\s*[\"']?([^\s\"']+)"
)
_SHARED = re.compile(r"--(?:multi[-_]gpu|use[-_]deepspeed|use[-_]fsdp)\b")
_ENGINE = re.compile(r"--use[-_](?:deepspeed|fsdp|megatron[-_]lm)\b")
_ENGINE_CHOSEN = re.compile(r"(?m)^distributed_type:\s*[\"']?(?:DEEPSPEED|FSDP|MEGATRON_LM)\b")
_CHOSEN = re.compile(r"--(?:include|exclude|num[-_]gpus|num[-_]processes)\b")
_CONFIG_FILE = re.compile(r"--config[-_]file[= ]\s*[\"']?([\w./-]+\.ya?ml)\b")
_SEVERAL = re.compile(r"(?m)^num_processes:\s*(?!1\b)\d+\s*(?:#.*)?$")
_JSON_OPTION = re.compile(r"--([\w-]+)(?:=|\s+)[\"']?([\w./-]+\.json)\b")
_GIVES_LOCAL_RANK = re.compile(
    r"(?:^|[;&|(])\s*(?:\w+=\S*\s+)*(?:(?:nohup|exec|time)\s+)?"
    r"(?:deepspeed|python[\d.]*\s+-m\s+deepspeed\.launcher\.runner)\s+(?P<options>[^;&|]*?)(?P<script>[\w./-]+\.py)\b"
)
_NO_LOCAL_RANK = re.compile(r"--(?:no_local_rank|module|no_python)\b|\s-m\s")
_CONTINUED = re.compile(r"\\\r?\n")
_MODULE = re.compile(r"-m\s+(?!torch\b)(\w+(?:\.\w+)*)")


@dataclass(frozen=True, slots=True)
class Scripts:
    """Some scripts of a project, as launch files name them."""

    paths: frozenset[str] = frozenset()

    packages: frozenset[str] = frozenset()
    """Folders: a launch file that names no script may mean any of its package."""

    def has(self, path: str) -> bool:
        """Whether a script, given by its path, is one of them."""
        return path in self.paths or any(path.startswith(f"{package}/") for package in self.packages)


@dataclass(frozen=True, slots=True)
class LaunchHints:
    """Hints from launch files. Scripts are given by their paths."""

    with_one_device: Scripts = Scripts()
    """Each process of these sees a single GPU, so that index 0 is right everywhere."""

    with_local_rank: Scripts = Scripts()
    """These get their local rank as an option, from the launch line or from a launcher that gives it so."""

    by_torchrun: Scripts = Scripts()
    """These are started by `torchrun`, which tells the processes their numbers by the environment."""

    on_several_nodes: Scripts = Scripts()
    """A launch line starts these on more than one node, or on a number of nodes that is a variable."""

    by_several: Scripts = Scripts()
    """These are started by a launch line as more than one process, or as a number of them that is a variable."""

    by_engine: Scripts = Scripts()
    """A launch line tells the framework to have the models of these wrapped by an engine, or by what shards them."""

    processes: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """Script -> with how many processes all launch lines that name it start it, where they tell."""

    told_local_rank: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Script -> the launch file in which a launcher passes it `--local_rank`."""

    json_options: Mapping[tuple[str, str], str] = field(default_factory=lambda: MappingProxyType({}))
    """Script and name of one of its options, with underscores -> the JSON file that all launch lines give it."""

    launched: frozenset[str] = frozenset()
    """These are started by a launch line, so that they are scripts whatever they look like."""

    texts: tuple[str, ...] = ()
    """The files themselves, and those that build the image of the job."""

    def may_set(self, variable: str) -> bool:
        """Whether a launch file, or one that builds the image of the job, speaks of an environment variable."""
        return any(re.search(rf"\b{re.escape(variable)}\b", text) is not None for text in self.texts)


def starts_processes(data: bytes) -> bool:
    """Whether a notebook starts the processes of a job by a shell command, or runs its cells in several of them."""
    return _IN_NOTEBOOK.search(data) is not None


Held: TypeAlias = Callable[[str], "str | None"]
"""The text that stands for the content of a file, by its path; None where that on the disk counts."""


def _nothing(path: str) -> str | None:
    del path
    return None


def named_configurations(paths: Iterable[Path], root: Path, held: Held = _nothing) -> list[Path]:
    """The files with settings of the launcher that the launch lines of these files name, from their folders or from
    the root of the project.
    """
    found: dict[Path, None] = {}
    for path, text in _texts(paths, held):
        for name in _CONFIG_FILE.findall(text):
            configuration = _configuration(name, path.parent, root)
            if configuration is not None:
                found[configuration] = None
    return list(found)


def read_hints(paths: Iterable[Path], root: Path, scripts: LaunchPaths, held: Held = _nothing) -> LaunchHints:
    """The hints of these files, and of the settings that they name; what cannot be read says nothing.

    Args:
        paths: The launch files.
        root: Of the project.
        scripts: Finds the scripts that they name.
        held: The texts that an editor holds.
    """
    paths = list(paths)
    launching = (each for each in paths if each.name not in RECIPES)
    files = [LaunchFile(path, text, root) for path, text in _texts(launching, held)]
    lines = [line for file in files for line in _lines(file)]
    recipes = (text for _, text in _texts((path for path in paths if path.name in RECIPES), held))
    return LaunchHints(
        _possible(files, _ONE_DEVICE, scripts),
        _possible(files, _LOCAL_RANK, scripts),
        _certain((file for file in files if _TORCHRUN.search(file.text)), scripts),
        _certain(filter(_says_several_nodes, files), scripts),
        _started_so(lines, scripts, _is_shared),
        _started_so(lines, scripts, _has_engine),
        _sizes(lines, scripts),
        _told_local_rank(lines, scripts),
        _json_options(lines, scripts),
        texts=(*(file.text for file in files), *recipes),
    )


def _texts(paths: Iterable[Path], held: Held = _nothing) -> Iterator[tuple[Path, str]]:
    for path in paths:
        text = held(path.as_posix())
        try:
            if text is not None:
                yield path, text
            elif path.stat().st_size <= _LARGEST:
                yield path, path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue


def _configuration(name: str, folder: Path, root: Path) -> Path | None:
    """The file with settings of the launcher that a launch file in a folder calls by a name."""
    return next((path for start in (folder, root) if (path := start / name).is_file()), None)


# --- whole files ------------------------------------------------------------------------------------------------------


def _named(file: LaunchFile) -> Iterator[tuple[str, int]]:
    """The scripts that a file names, each as it is written, and where."""
    for match in SCRIPT.finditer(file.text):
        yield match["path"], match.start()
    for match in _MODULE.finditer(file.text):
        yield f"{match[1].replace('.', '/')}.py", match.start()


def _possible(files: Iterable[LaunchFile], pattern: re.Pattern[str], scripts: LaunchPaths) -> Scripts:
    """The scripts that those files may mean in which a pattern is found."""
    paths: set[str] = set()
    packages: set[str] = set()
    for file in files:
        if pattern.search(file.text) is not None:
            named = [scripts.possibly(written, file, offset) for written, offset in _named(file)]
            paths.update(*named)
            packages |= set() if named else {scripts.package_of(file)}
    return Scripts(frozenset(paths), frozenset(packages))


def _certain(files: Iterable[LaunchFile], scripts: LaunchPaths) -> Scripts:
    """The scripts that these files surely mean."""
    paths: set[str | None] = set()
    packages: set[str] = set()
    for file in files:
        named = [scripts.surely(written, file, offset) for written, offset in _named(file)]
        paths.update(named)
        packages |= set() if named else {scripts.package_of(file)}
    return Scripts(frozenset(path for path in paths if path is not None), frozenset(packages))


def _says_several_nodes(file: LaunchFile) -> bool:
    return any(match[1] not in ("1", "0") for match in _NODES.finditer(file.text))


# --- lines ------------------------------------------------------------------------------------------------------------


class _Line(NamedTuple):
    """A line of a launch file, with those that continue it."""

    file: LaunchFile
    text: str
    start: int

    def script(self, written: str, column: int, scripts: LaunchPaths) -> str | None:
        """The script that is surely meant by what stands in the line."""
        return scripts.surely(written, self.file, self.start + column)


def _lines(file: LaunchFile) -> Iterator[_Line]:
    joined = LaunchFile(file.path, _CONTINUED.sub(" ", file.text), file.root)
    start = 0
    for line in joined.text.splitlines(keepends=True):
        yield _Line(joined, line.rstrip("\r\n"), start)
        start += len(line)


def _started(line: _Line, launcher: re.Pattern[str]) -> tuple[re.Match[str], re.Match[str]] | None:
    """The launcher in a line, and the script that it starts."""
    found = launcher.search(line.text.partition("#")[0])
    script = SCRIPT.search(line.text, found.end()) if found is not None else None
    return (found, script) if found is not None and script is not None else None


def _started_so(
    lines: Iterable[_Line], scripts: LaunchPaths, so: Callable[[re.Match[str], _Line, str], bool]
) -> Scripts:
    """The scripts that a launch line starts in a certain way, to judge by the launcher, the line, and its options."""
    found: set[str] = set()
    for line in lines:
        started = _started(line, _ANY_LAUNCHER)
        if started is not None and so(started[0], line, line.text[: started[1].start()]):
            path = line.script(started[1]["path"], started[1].start(), scripts)
            found |= set() if path is None else {path}
    return Scripts(frozenset(found))


def _is_shared(launcher: re.Match[str], line: _Line, options: str) -> bool:
    """Whether several processes are started, as the line says or a file of settings that it names."""
    counts = _COUNTS.findall(options)
    several = any(count != "1" for count in counts)
    if not counts and _settings_say(_SEVERAL, line, options):
        return True
    return several or (bool(launcher["all"] or _SHARED.search(options)) and not _CHOSEN.search(options))


def _has_engine(launcher: re.Match[str], line: _Line, options: str) -> bool:
    """Whether the launcher is told of an engine, or of what shards models, by the line or a file that it names."""
    return _ENGINE.search(options, launcher.end()) is not None or _settings_say(_ENGINE_CHOSEN, line, options)


def _settings_say(said: re.Pattern[str], line: _Line, options: str) -> bool:
    """Whether something stands in a file with settings of the launcher that the options name."""
    names = _CONFIG_FILE.findall(options)
    found = (_configuration(name, line.file.path.parent, line.file.root) for name in names)
    return any(said.search(text) is not None for _, text in _texts(path for path in found if path is not None))


def _sizes(lines: Iterable[_Line], scripts: LaunchPaths) -> Mapping[str, int]:
    """With how many processes each script is started, where all launch lines agree that may mean it."""
    counts: dict[str, set[int | None]] = {}
    for line in lines:
        started = _started(line, _LAUNCHER)
        if started is not None:
            script, offset = started[1]["path"], line.start + started[1].start()
            sure = scripts.surely(script, line.file, offset) is not None
            count = _count(line.text[: started[1].start()]) if sure else None
            for path in scripts.possibly(script, line.file, offset):
                counts.setdefault(path, set()).add(count)
    return {script: count for script, found in counts.items() for count in found if count and len(found) == 1}


def _count(options: str) -> int | None:
    """The number of processes that the options of a launcher tell, None where it is open."""
    processes, nodes = _PROCESSES.search(options), _NODE_COUNT.search(options)
    count = int(processes[1]) if processes else None
    if count is not None and nodes is not None:
        count = count * int(nodes[1]) if nodes[1].isdecimal() else None
    return count


def _json_options(lines: Iterable[_Line], scripts: LaunchPaths) -> Mapping[tuple[str, str], str]:
    """The JSON files that launch lines give scripts, where all agree."""
    given: dict[tuple[str, str], set[str]] = {}
    for line in lines:
        command = _without_comment(line.text)
        script = SCRIPT.search(command)
        path = line.script(script["path"], script.start(), scripts) if script is not None else None
        if script is not None and path is not None:
            for option in _JSON_OPTION.finditer(command, script.end()):
                given.setdefault((path, option[1].replace("-", "_")), set()).add(option[2])
    return {key: file for key, files in given.items() for file in files if len(files) == 1}


def _told_local_rank(lines: Iterable[_Line], scripts: LaunchPaths) -> Mapping[str, str]:
    """The scripts to which a launcher passes `--local_rank`, each with the launch file."""
    found: dict[str, str] = {}
    for line in lines:
        for started in _GIVES_LOCAL_RANK.finditer(_without_comment(line.text)):
            path = line.script(started["script"], started.start("script"), scripts)
            if path is not None and _NO_LOCAL_RANK.search(started["options"]) is None:
                found.setdefault(path, line.file.path.as_posix())
    return found


def _without_comment(line: str) -> str:
    return re.sub(r"(?:^|\s)#.*", "", line)
