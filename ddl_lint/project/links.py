"""Links on the way to a file that is to be written: whoever made them may want another file to be replaced."""

from __future__ import annotations

import os
from pathlib import Path

from ddl_lint.checked_folders import checked_around
from ddl_lint.project.project_context import marked_folders

_REPOSITORY = frozenset({".git", ".hg"})


def link_out_of_project(file: str | Path) -> tuple[Path, Path] | None:
    """The link on the way to a file that leads out of the project that it lies in, or into the data of its repository,
    and where it leads to; None if there is none.

    Links outside of what is checked, of projects and of the working directory are the user's or the system's, such as
    `/dev/stdout`.
    """
    path = Path(os.path.abspath(file))
    for link in (each for each in reversed((path, *path.parents)) if each.is_symlink()):
        target = Path(os.path.realpath(link))
        around = _project_of(Path(os.path.realpath(link.parent)))
        if around is not None and not (target.is_relative_to(around) and _REPOSITORY.isdisjoint(target.parts)):
            return link, target
    return None


def _project_of(folder: Path) -> Path | None:
    """The outermost folder around this one that belongs together."""
    here = Path(os.path.realpath("."))
    checked = checked_around(folder)
    found = {*marked_folders(folder), *([Path(checked)] if checked is not None else ())}
    if folder.is_relative_to(here):
        found.add(here)
    return min(found, key=lambda each: len(each.parts), default=None)
