"""The folders whose content this process checks. Whatever lies in them may be a stranger's, wherever our own settings
point: what is stored in them is not used, and what they say of interrupted changes is not obeyed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

_folders: tuple[str, ...] = ()


def set_checked(folders: Iterable[str | Path]) -> None:
    """Say which they are, in place of those before."""
    global _folders
    _folders = tuple(sorted({os.path.normcase(os.path.realpath(folder)) for folder in folders}))


def checked() -> tuple[str, ...]:
    """Those that are."""
    return _folders


def is_checked(path: str | Path) -> bool:
    """Whether a path without links lies in one of them."""
    return _around(os.fspath(path)) is not None


def checked_around(place: str | Path) -> str | None:
    """The checked folder that a place lies in, or that a link on the way to it lies in; None where there is none. A
    relative path may mean one in the working directory, whatever that is, so that this counts as well.
    """
    path = Path(os.path.abspath(place))
    here = () if os.path.isabs(place) else (os.path.normcase(os.path.realpath(".")),)
    for each in (path, *path.parents) if _folders or here else ():
        if (found := _around(os.path.realpath(each), here)) is not None:
            return found
    return None


def _around(path: str, others: tuple[str, ...] = ()) -> str | None:
    name = os.path.normcase(path)
    inside = (each for each in (*_folders, *others) if name == each or name.startswith(os.path.join(each, "")))
    return next(inside, None)
