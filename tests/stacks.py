"""What the programs that show faults run on: the frameworks and launchers, how their versions are asked for, and what
was changed to build them.

Those that do not go together have environments of their own. Each has a target of `make`, which names the marker of its
programs: `pytest -m torch` runs those of the environment that `make witness` installs.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path


@dataclass(frozen=True)
class Stack:
    """A framework or launcher."""

    environment: str
    """The marker of its programs."""

    beside: str = ""
    """The framework that it works with, if it is not one by itself."""

    command: str = ""
    """What tells its version where it is no package of Python."""

    is_service: bool = False
    """Whether the command fails unless somebody has started what it asks: to have it installed is not enough."""

    changes: str = ""
    """What had to be changed to build it."""


_HOROVOD = "C++17 and <cstdint> where the sources of 2023 ask for older C++"

STACKS: Mapping[str, Stack] = {
    "torch": Stack("torch"),
    "accelerate": Stack("torch", "torch"),
    "colossalai": Stack("torch", "torch"),
    "deepspeed": Stack("torch", "torch"),
    "lightning": Stack("torch", "torch"),
    "megatron.core": Stack("torch", "torch"),
    "ray": Stack("torch", "torch"),
    "transformers": Stack("torch", "torch"),
    "tensorflow": Stack("tensorflow"),
    "horovod.torch": Stack(
        "horovod", "torch", changes=f"{_HOROVOD} (C++20 for PyTorch), and one name in the search for PyTorch"
    ),
    "horovod.tensorflow": Stack(
        "horovod_tensorflow",
        "tensorflow",
        changes=f"{_HOROVOD}, `Status::message()` for a name that is gone, no operations for XLA, and two imports of "
        "`tensorflow.keras.backend` for that of Keras 3",
    ),
    "horovodrun": Stack("horovod", command="horovodrun"),
    "openmpi": Stack("cluster", command="mpirun"),
    "slurm": Stack("cluster", command="sinfo", is_service=True),
}
"""All that a program can ask for, by the name that its first line says."""


def is_installed(name: str) -> bool:
    """Whether programs can be run on it."""
    if command := STACKS[name].command:
        found = _found(command)
        if found is None or not STACKS[name].is_service:
            return found is not None
        return subprocess.run([found], capture_output=True, timeout=60, check=False).returncode == 0
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # not even what it is part of
        return False


def version(name: str) -> str:
    """Its version, without what tells how it was built."""
    if command := STACKS[name].command:
        told = subprocess.run([_found(command) or command, "--version"], capture_output=True, text=True, check=True)
        found = re.search(r"\d+(\.\d+)+", told.stdout)
        assert found is not None, told.stdout
        return found[0]
    owners = metadata.packages_distributions()[name.partition(".")[0]]
    return metadata.version(owners[0]).partition("+")[0]


def _found(command: str) -> str | None:
    """Where it is, in this environment or elsewhere."""
    return shutil.which(command, path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
