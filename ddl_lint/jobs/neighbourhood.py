"""Which files of a repository speak of a program, and which are a neighbour's: those of another program beside it.

The nearest counts. What lies in the folder of a script, or in a folder above it, speaks of it; what lies in a folder
beside it that has scripts of its own does not. A folder without any script, such as `scripts/` or `docker/`, belongs to
the programs around it.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable

_SUPPORT = re.compile(
    r"\.\w+|(?:(?:ds|deepspeed|accelerate|slurm|train|training|launch|run|model|shell|job)[_-])?(?:scripts?|configs?)|"
    r"sh|bash|bin|launch|launchers?|runs?|jobs?|slurm|sbatch|lsf|pbs|cluster|hpc|conf|cfgs?|configurations?|settings|"
    r"dockers?|dockerfiles?|containers?|images?|singularity|apptainer|requirements?|reqs?|deps|dependencies|envs?|"
    r"environments?|conda|k8s|kubernetes|helm|manifests?|deploy|deployments?|infra|ops|ci|build|setup|install|"
    r"installation|experiments?|recipes|deepspeed|accelerate",
    re.IGNORECASE,
)
"""What a folder is called that holds what goes with the programs beside it."""

_PART = re.compile(
    r"src|source|sources|code|py|python|libs?|library|libraries|packages?|common|core|shared|utils?|utilities|helpers?|"
    r"tools?|modules?|models?|networks?|nets?|layers?|data|dataset|datasets|dataloaders?|loss|losses|engines?|trainers?|"
    r"third_?party|vendor|external|submodules",
    re.IGNORECASE,
)
"""What a folder is called that holds a part of a program, and that programs add to their path."""


def is_within(folder: str, other: str) -> bool:
    """Whether a folder, or a file, is another folder or lies below it."""
    return folder == other or folder.startswith(other if other.endswith("/") else f"{other}/")


def _folder(path: str) -> str:
    return posixpath.dirname(path)


class Neighbourhood:
    """Tells what is near in one project, all of it by paths."""

    def __init__(
        self,
        root: str,
        programs: Iterable[str],
        is_script: Callable[[str], bool] = lambda _: True,
        packages: Collection[str] = (),
    ) -> None:
        """Of the project in a folder.

        Args:
            root: The folder.
            programs: Its Python files and notebooks.
            is_script: Whether one of them may be started; it is asked about few of them.
            packages: The folders in it that can be installed.
        """
        self._root = root
        self._is_script = is_script
        self.packages = frozenset(packages)
        self._files: dict[str, list[str]] = defaultdict(list)
        for path in programs:
            self._files[_folder(path)].append(path)
        self._folders: dict[str, set[str]] | None = None
        self._with_scripts: dict[str, bool] = {}
        self._homes: dict[str, str] = {}

    def home(self, path: str) -> str:
        """The folder of the programs that a file belongs to: its own, if there are scripts in it or below it, or one
        above, for a file in a folder that goes with what is beside it.
        """
        folder = _folder(path)
        if folder not in self._homes:
            self._homes[folder] = self._home(folder)
        return self._homes[folder]

    def speaks_of(self, file: str, script: str) -> bool:
        """Whether a file lies in the folder of a script or above it."""
        return is_within(_folder(script), self.home(file))

    def are_apart(self, one: str, other: str) -> bool:
        """Whether two files belong to programs of which neither lies below the other."""
        first, second = self.home(one), self.home(other)
        return not (is_within(first, second) or is_within(second, first))

    def reaches(self, importer: str, module: str) -> bool:
        """Whether a program may find a module in a folder that it adds to its path: none of a neighbour."""
        common = posixpath.commonpath((_folder(importer), _folder(module)))
        below = _folder(module)[len(common) :].strip("/")
        if not below or common in self._files or _PART.fullmatch(below.partition("/")[0]):
            return True
        folder = _folder(module)
        while is_within(folder, common) and folder != common:
            if folder in self.packages:
                return True
            folder = _folder(folder)
        return False

    def _home(self, folder: str) -> str:
        if not is_within(folder, self._root) or self._has_scripts(folder):
            return folder
        below = folder
        while folder != self._root:
            below, folder = folder, _folder(folder)
            if self._has_scripts(folder):
                is_part = any(map(self._is_script, self._files.get(folder, ())))
                return folder if is_part or _SUPPORT.fullmatch(posixpath.basename(below)) else below
        return self._root

    def _has_scripts(self, folder: str) -> bool:
        """Whether there are scripts in a folder or below it."""
        if folder not in self._with_scripts:
            below = self._below().get(folder, ())
            self._with_scripts[folder] = any(map(self._is_script, self._files.get(folder, ()))) or any(
                map(self._has_scripts, below)
            )
        return self._with_scripts[folder]

    def _below(self) -> dict[str, set[str]]:
        """The folders right below each folder that lead to a program."""
        if self._folders is None:
            self._folders = defaultdict(set)
            for folder in self._files:
                while folder != self._root and is_within(folder, self._root):
                    above = _folder(folder)
                    if folder in self._folders[above]:
                        break
                    self._folders[above].add(folder)
                    folder = above
        return self._folders
