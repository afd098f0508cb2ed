"""What the shell files of a project say about a launch, as far as single words tell it.

These hints only make rules careful, or tell that a job spans nodes; they prove no fault of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

SUFFIXES = (".sh", ".bash", ".sbatch", ".slurm", ".pbs")
_LARGEST = 200_000  # bytes; a launch file is short

_ONE_DEVICE = re.compile(
    r"--gpus-per-task[= ]1\b|--gpu-bind[= ]\S*(?:single|per_task|map_gpu)|"
    r"CUDA_VISIBLE_DEVICES=[\"']?\$\{?(?:SLURM_LOCALID|"
    r"OMPI_COMM_WORLD_LOCAL_RANK|MPI_LOCALRANKID|LOCAL_RANK|PALS_LOCAL_RANKID|PMI_LOCAL_RANK)"
)
_NODES = re.compile(r"(?:--nnodes|--num_nodes|--num_machines|#SBATCH\s+(?:--nodes|-N)|\s-N)[= ]\s*[\"']?(\$?\{?\w+)")
_SCRIPT = re.compile(r"([\w.-]+\.py)\b")
_LAUNCHER = re.compile(r"\btorchrun\b|-m\s+torch\.distributed\.(?:run|launch)\b")
_PROCESSES = re.compile(r"--nproc[-_]per[-_]node[= ]\s*[\"']?(\d+)\b")
_NODE_COUNT = re.compile(r"--nnodes[= ]\s*[\"']?([\w${}:]+)")
_CONTINUED = re.compile(r"\\\r?\n")
_MODULE = re.compile(r"-m\s+(?!torch\b)(?:\w+\.)*(\w+)")


@dataclass(frozen=True, slots=True)
class LaunchHints:
    """Hints from launch files."""

    one_device_per_process: bool = False
    """A launcher that names no script shows every process a single GPU, so that index 0 is right everywhere."""

    one_device_scripts: frozenset[str] = frozenset()
    """The names of the scripts that are started so, where the launch file tells."""

    several_nodes: bool = False
    """A launch line starts the job on more than one node, or on a number of nodes that is a variable."""

    processes: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """Name of a script -> with how many processes all launch lines that name it start it, where they tell."""

    def shows_one_device(self, script: str) -> bool:
        """Whether each process of a script, given by its path, sees a single GPU."""
        return self.one_device_per_process or script.rpartition("/")[2] in self.one_device_scripts


def read_hints(paths: Iterable[Path]) -> LaunchHints:
    """The hints of these files; what cannot be read says nothing."""
    one_device = several = False
    scripts: set[str] = set()
    started: dict[str, set[int | None]] = {}
    for path in paths:
        try:
            if path.stat().st_size > _LARGEST:
                continue
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        if _ONE_DEVICE.search(text) is not None:
            named = {match.group(1) for match in _SCRIPT.finditer(text)}
            named |= {f"{match.group(1)}.py" for match in _MODULE.finditer(text)}
            one_device = one_device or not named
            scripts |= named
        several = several or any(match.group(1) not in ("1", "0") for match in _NODES.finditer(text))
        for script, count in _started(text):
            started.setdefault(script, set()).add(count)
    sizes = {script: count for script, counts in started.items() for count in counts if count and len(counts) == 1}
    return LaunchHints(one_device, frozenset(scripts), several, sizes)


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
