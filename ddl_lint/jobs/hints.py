"""What the shell files of a project say about a launch, as far as single words tell it.

These hints only make rules careful, or tell that a job spans nodes; they prove no fault of their own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

SUFFIXES = (".sh", ".bash", ".sbatch", ".slurm", ".pbs")
RECIPES = ("Dockerfile",)  # files that say how the job's image is made
_LARGEST = 200_000  # bytes; a launch file is short

_ONE_DEVICE = re.compile(
    r"--gpus-per-task[= ]1\b|--gpu-bind[= ]\S*(?:single|per_task|map_gpu)|"
    r"CUDA_VISIBLE_DEVICES=[\"']?\$\{?(?:SLURM_LOCALID|"
    r"OMPI_COMM_WORLD_LOCAL_RANK|MPI_LOCALRANKID|LOCAL_RANK|PALS_LOCAL_RANKID|PMI_LOCAL_RANK)"
)
_NODES = re.compile(r"(?:--nnodes|--num_nodes|--num_machines|#SBATCH\s+(?:--nodes|-N)|\s-N)[= ]\s*[\"']?(\$?\{?\w+)")
_TORCHRUN = re.compile(r"\btorchrun\b|\btorch\.distributed\.run\b")
_LOCAL_RANK = re.compile(r"(?m)^[^#\n]*(?:\bdeepspeed\s|--local[-_]rank\b)")
_SCRIPT = re.compile(r"([\w.-]+\.py)\b")
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
_MODULE = re.compile(r"-m\s+(?!torch\b)(?:\w+\.)*(\w+)")


@dataclass(frozen=True, slots=True)
class Scripts:
    """Some scripts of a project, as launch files name them."""

    names: frozenset[str] = frozenset()
    """Without their folders."""

    all: bool = False
    """A launch file that names no script may mean any."""

    def has(self, path: str) -> bool:
        """Whether a script, given by its path, is one of them."""
        return self.all or path.rpartition("/")[2] in self.names


@dataclass(frozen=True, slots=True)
class LaunchHints:
    """Hints from launch files."""

    with_one_device: Scripts = Scripts()
    """Each process of these sees a single GPU, so that index 0 is right everywhere."""

    with_local_rank: Scripts = Scripts()
    """These get their local rank as an option, from the launch line or from a launcher that gives it so."""

    by_torchrun: Scripts = Scripts()
    """These are started by `torchrun`, which tells the processes their numbers by the environment."""

    several_nodes: bool = False
    """A launch line starts the job on more than one node, or on a number of nodes that is a variable."""

    by_several: Scripts = Scripts()
    """These are started by a launch line as more than one process, or as a number of them that is a variable."""

    processes: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """Name of a script -> with how many processes all launch lines that name it start it, where they tell."""

    told_local_rank: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Script, as a launch line writes its path -> the launch file in which a launcher passes it `--local_rank`."""

    json_options: Mapping[tuple[str, str], str] = field(default_factory=lambda: MappingProxyType({}))
    """Name of a script and of one of its options, with underscores -> the JSON file that all launch lines give it."""

    texts: tuple[str, ...] = ()
    """The files themselves, and those that build the image of the job."""

    def may_set(self, variable: str) -> bool:
        """Whether a launch file, or one that builds the image of the job, speaks of an environment variable."""
        return any(re.search(rf"\b{re.escape(variable)}\b", text) is not None for text in self.texts)


def starts_processes(data: bytes) -> bool:
    """Whether a notebook starts the processes of a job by a shell command, or runs its cells in several of them."""
    return _IN_NOTEBOOK.search(data) is not None


def named_configurations(paths: Iterable[Path], root: Path) -> list[Path]:
    """The files with settings of the launcher that the launch lines of these files name, from their folders or from
    the root of the project.
    """
    found: dict[Path, None] = {}
    for path in paths:
        for text in _texts([path]):
            for name in _CONFIG_FILE.findall(text):
                candidates = (folder / name for folder in (path.parent, root))
                file = next((file for file in candidates if file.is_file()), None)
                if file is not None:
                    found[file] = None
    return list(found)


def read_hints(paths: Iterable[Path], configurations: Iterable[Path] = ()) -> LaunchHints:
    """The hints of these files, and of the settings that they name; what cannot be read says nothing."""
    paths = list(paths)
    with_several = {path.name for path in configurations for text in _texts([path]) if _SEVERAL.search(text)}
    texts = list(_texts(path for path in paths if path.name not in RECIPES))
    return LaunchHints(
        _scripts(texts, _ONE_DEVICE),
        _scripts(texts, _LOCAL_RANK),
        _scripts(texts, _TORCHRUN),
        any(match.group(1) not in ("1", "0") for text in texts for match in _NODES.finditer(text)),
        _shared(texts, with_several),
        _sizes(texts),
        _told_local_rank([path for path in paths if path.name not in RECIPES]),
        _json_options(texts),
        (*texts, *_texts(path for path in paths if path.name in RECIPES)),
    )


def _texts(paths: Iterable[Path]) -> Iterator[str]:
    for path in paths:
        try:
            if path.stat().st_size <= _LARGEST:
                yield path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue


def _scripts(texts: Iterable[str], pattern: re.Pattern[str]) -> Scripts:
    """The scripts of those files in which a pattern is found."""
    named: set[str] = set()
    unnamed = False
    for text in texts:
        if pattern.search(text) is not None:
            found = {match.group(1) for match in _SCRIPT.finditer(text)}
            found |= {f"{match.group(1)}.py" for match in _MODULE.finditer(text)}
            unnamed = unnamed or not found
            named |= found
    return Scripts(frozenset(named), unnamed)


def _shared(texts: Iterable[str], with_several: Collection[str]) -> Scripts:
    """The scripts that a launch line starts as several processes, itself or by a file of settings with such a name."""
    named: set[str] = set()
    for text in texts:
        for line in _CONTINUED.sub(" ", text).splitlines():
            launcher = _ANY_LAUNCHER.search(line.partition("#")[0])
            script = _SCRIPT.search(line, launcher.end()) if launcher else None
            if (
                launcher is not None
                and script is not None
                and _is_shared(launcher, line[: script.start()], with_several)
            ):
                named.add(script[1])
    return Scripts(frozenset(named))


def _is_shared(launcher: re.Match[str], options: str, with_several: Collection[str]) -> bool:
    counts = _COUNTS.findall(options)
    several = any(count != "1" for count in counts)
    if not counts and any(Path(name).name in with_several for name in _CONFIG_FILE.findall(options)):
        return True
    return several or (bool(launcher["all"] or _SHARED.search(options)) and not _CHOSEN.search(options))


def _sizes(texts: Iterable[str]) -> Mapping[str, int]:
    """With how many processes each script is started, where all launch lines agree."""
    started: dict[str, set[int | None]] = {}
    for text in texts:
        for script, count in _started(text):
            started.setdefault(script, set()).add(count)
    return {script: count for script, counts in started.items() for count in counts if count and len(counts) == 1}


def _started(text: str) -> Iterator[tuple[str, int | None]]:
    """The scripts that the launch lines of a text start, each with the number of processes, None where it is open."""
    for line in _CONTINUED.sub(" ", text).splitlines():
        launcher = _LAUNCHER.search(line.partition("#")[0])
        script = _SCRIPT.search(line, launcher.end()) if launcher else None
        if script is None:
            continue
        options = line[: script.start()]
        processes, nodes = _PROCESSES.search(options), _NODE_COUNT.search(options)
        count = int(processes[1]) if processes else None
        if count is not None and nodes is not None:
            count = count * int(nodes[1]) if nodes[1].isdecimal() else None
        yield script[1], count


def _json_options(texts: Iterable[str]) -> Mapping[tuple[str, str], str]:
    """The JSON files that launch lines give scripts, where all agree."""
    given: dict[tuple[str, str], set[str]] = {}
    for text in texts:
        for line in _CONTINUED.sub(" ", text).splitlines():
            command = re.sub(r"(?:^|\s)#.*", "", line)
            script = _SCRIPT.search(command)
            if script is not None:
                for option in _JSON_OPTION.finditer(command, script.end()):
                    given.setdefault((script[1], option[1].replace("-", "_")), set()).add(option[2])
    return {key: file for key, files in given.items() for file in files if len(files) == 1}


def _told_local_rank(paths: Iterable[Path]) -> Mapping[str, str]:
    """The scripts to which a launcher passes `--local_rank`, each with the launch file."""
    found: dict[str, str] = {}
    for path in paths:
        for text in _texts([path]):
            for line in _CONTINUED.sub(" ", text).splitlines():
                for started in _GIVES_LOCAL_RANK.finditer(re.sub(r"(?:^|\s)#.*", "", line)):
                    if _NO_LOCAL_RANK.search(started["options"]) is None:
                        found.setdefault(started["script"].removeprefix("./"), path.as_posix())
    return found
