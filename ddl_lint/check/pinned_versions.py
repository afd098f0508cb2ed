"""With which versions of packages the files of a project run, as its files pin them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from ddl_lint.jobs.pinning import PinningFile, pinning_files
from ddl_lint.jobs.versions import Versions
from ddl_lint.project.inputs import Inputs, content_of
from ddl_lint.source import lies_within
from ddl_lint.storage import stamp


@dataclass(frozen=True)
class PackageVersions:
    """With which versions of packages the files of each folder of a project run."""

    by_folder: Mapping[str, Versions]

    def of(self, path: str) -> Versions:
        """The versions with which a file runs: those of the nearest folder around it."""
        folders = (folder.as_posix() for folder in PurePath(path).parents)
        return next((self.by_folder[folder] for folder in folders if folder in self.by_folder), Versions())


_Pinning = tuple[tuple[PinningFile, str], ...]
"""Files that pin versions, each with the digest of its content."""


class PinnedVersions:
    """What the files of a project pin: read once in a check, and in a session as long as they are the same."""

    def __init__(self, root: Path, inputs: Inputs, before: PinnedVersions | None = None) -> None:
        """`before` is what an earlier check of the project has read."""
        self._root = root
        self._inputs = inputs
        self._before = before._read if before is not None else {}
        self._read: dict[tuple[_Pinning, tuple[tuple[str, str], ...]], Versions] = {}
        self._in_folder: dict[Path, _Pinning] = {}

    def of(self, targets: Mapping[str, Mapping[str, str]]) -> PackageVersions:
        """The versions with which the files of each folder run: what is pinned in it, then in those above it.

        `targets` are what the settings of its files say, by path.
        """
        found: dict[str, Versions] = {}
        for path, target in targets.items():
            folder = Path(path).parent
            if folder.as_posix() not in found:
                around = [each for each in (folder, *folder.parents) if each.is_relative_to(self._root)]
                found[folder.as_posix()] = self._versions(tuple(each for up in around for each in self._in(up)), target)
        return PackageVersions(found)

    def _in(self, folder: Path) -> _Pinning:
        """Those of a folder that are there."""
        if folder not in self._in_folder:
            present: dict[PinningFile, str] = {}
            for file in pinning_files(folder):
                is_there = os.path.exists(file.path) and lies_within(file.path, self._root)
                if is_there or file.kind == "lock":  # others that come show in the tree
                    state, content = stamp(str(file.path)), content_of(str(file.path))
                    self._inputs.file(str(file.path), state, content)
                    if is_there:
                        present[file] = content
            self._in_folder[folder] = tuple(present.items())
        return self._in_folder[folder]

    def _versions(self, pinning: _Pinning, target: Mapping[str, str]) -> Versions:
        key = pinning, tuple(sorted(target.items()))
        if key not in self._read:
            self._read[key] = self._before.get(key) or _versions([file for file, _ in pinning], target)
        return self._read[key]


def package_versions(root: Path, targets: Mapping[str, Mapping[str, str]], inputs: Inputs) -> PackageVersions:
    """The versions with which the files of each folder run, as in `PinnedVersions`."""
    return PinnedVersions(root, inputs).of(targets)


def _versions(pinning: Sequence[PinningFile], target: Mapping[str, str]) -> Versions:
    if not target and not pinning:
        return Versions()
    from ddl_lint.jobs.pins import read_versions  # brings in what can read versions

    return read_versions(pinning, target)
