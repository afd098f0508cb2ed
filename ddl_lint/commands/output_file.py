"""Files that commands write: where somebody has named them, and nowhere else; never over what is no output of ours."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from ddl_lint.commands.outcome import UserError
from ddl_lint.jobs.file_names import kind_of, may_be_data
from ddl_lint.project.config import CONFIG_FILES
from ddl_lint.project.discover import SUFFIXES
from ddl_lint.project.links import link_out_of_project

_BEGINNING = 1 << 14
_PLAIN = stat.S_IRUSR | stat.S_IWUSR | stat.S_IRGRP | stat.S_IWGRP | stat.S_IROTH | stat.S_IWOTH


def put(file: Path, text: str) -> None:
    """Write a file in one step: who reads it sees all of the text or none, even if we are interrupted.

    Raises:
        UserError: a link leads somewhere else, or what is there is no output.
        OSError: it cannot be written.
    """
    check_place(file)
    if file.exists() and not file.is_file():  # a pipe or a device
        file.write_text(text, encoding="utf-8")
        return
    target = Path(os.path.realpath(file))
    temporary = target.with_name(f".{target.name}.{os.urandom(8).hex()}.tmp")
    try:
        with temporary.open("x", encoding="utf-8") as stream:
            stream.write(text)
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode) & _PLAIN)  # what we write is no program
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def check_place(file: Path) -> None:
    """Raises `UserError` where nothing may be written: a link on the way to a file leads out of its project, or what is
    there is no output.
    """
    out = link_out_of_project(file)
    if out is not None:
        link, target = out
        raise UserError(
            f"{file}: is not written: the link {link} leads out of the project, to {target}; "
            "delete the link, or name another file"
        )
    if file.is_file():
        _refuse_source(file, Path(os.path.realpath(file)))


def _refuse_source(file: Path, target: Path) -> None:
    if _is_source(file) or _is_source(target):
        raise UserError(f"{file}: is not written: what is there is source that ddl-lint checks; name another file")
    with target.open("rb") as stream:
        beginning = stream.read(_BEGINNING)
    if b"\0" in beginning or beginning.startswith(b"#!"):
        raise UserError(f"{file}: is not written: what is there is no output of ddl-lint; name another file")


def _is_source(path: Path) -> bool:
    """Whether a check reads a file of this name. Of JSON only what is named like a configuration: outputs are JSON."""
    kind = kind_of(path.name, os.path.basename(os.path.abspath(path.parent)))
    is_job_file = kind is not None and not may_be_data(path.name)
    return is_job_file or path.suffix in SUFFIXES or path.name in CONFIG_FILES
