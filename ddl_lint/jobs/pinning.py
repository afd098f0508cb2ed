"""The files of a project that may say with which versions of packages it runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["lock", "requirements", "environment", "pyproject", "setup"]

_MOST = 40  # requirements files


class PinningFile(NamedTuple):
    """A file that may pin versions, and how it is to be read."""

    path: Path
    kind: Kind


def pinning_files(root: Path) -> list[PinningFile]:
    """Such files of a project's root folder, the most exact kind first; some of them may not exist."""
    return list(_files(root))


def _files(root: Path) -> Iterator[PinningFile]:
    try:
        names = sorted(each.name for each in root.iterdir())
    except OSError:
        return
    yield PinningFile(root / "uv.lock", "lock")
    yield PinningFile(root / "poetry.lock", "lock")
    wanted = [name for name in names if re.fullmatch(r"(?:requirements|constraints)[\w.-]*\.txt", name)]
    for name in sorted(wanted, key=lambda name: (name != "requirements.txt", name))[:_MOST]:
        yield PinningFile(root / name, "requirements")
    yield PinningFile(root / "requirements" / "base.txt", "requirements")
    for name in names:
        if re.fullmatch(r"(?:environment|conda)[\w.-]*\.ya?ml", name):
            yield PinningFile(root / name, "environment")
    yield PinningFile(root / "pyproject.toml", "pyproject")
    yield PinningFile(root / "setup.cfg", "setup")
