"""From where modules are imported: never from the code that is checked, whatever PYTHONPATH says.

That is the working directory, and those entries of PYTHONPATH that lie in the project around it or around a path of
the command line, or around such a project. What is installed is trusted wherever it lies, an editable installation and
`.venv` included.

Only what every interpreter has loaded at its start may be imported here, and by `__init__` and `__main__`: until the
path is clean, anything else could come from that folder.
"""

import os
import sys

TYPE_CHECKING = False  # `typing` may not be loaded yet
if TYPE_CHECKING:
    from collections.abc import MutableMapping

_MARKS = (".git", ".hg", "pyproject.toml", "setup.py", "setup.cfg", "ddl-lint.toml", ".ddl-lint.toml")
"""What tells that a folder is that of a project."""


def _installed() -> "list[str]":
    """The folders of installed packages, as the interpreter has found them at its start."""
    if "site" not in sys.modules:
        return []
    import site

    return [*site.getsitepackages(), site.USER_SITE or ""]


_TRUSTED = [
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
    os.path.dirname(os.__file__),
    *_installed(),
]
"""The folders of this package, of the standard library and of what is installed: the working directory may be one."""

_by_variable: "set[str]" = set()
"""The folders that PYTHONPATH has put on the path."""

_checked: "set[str]" = set()
"""The projects that are checked, of which nothing is imported that only PYTHONPATH names."""


def leave_checked_code_out(words: "list[str]") -> None:
    """Import nothing of what is checked from now on, whatever put it on the path (`-m`, PYTHONPATH).

    `words` are those of the command line; some of them are paths.
    """
    if not sys.flags.ignore_environment:
        entries = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        _by_variable.update(os.path.realpath(entry) for entry in entries if entry)
    leave_projects_out([os.curdir, *(word for word in words if not word.startswith("-"))])


def leave_projects_out(paths: "list[str]") -> None:
    """Import nothing from now on that only PYTHONPATH names and that lies in the projects around some paths."""
    if _by_variable:
        folders = {path if os.path.isdir(path) else os.path.dirname(path) for path in paths if os.path.exists(path)}
        _checked.update(_project_around(folder) for folder in folders)
        _checked.discard("")
    sys.path[:] = without_checked_code(sys.path)
    clean_variable(os.environ)


def clean_variable(environment: "MutableMapping[str, str]") -> None:
    """Leave the same out of the PYTHONPATH of an environment. (An empty entry there means the working directory.)"""
    entries = without_checked_code(environment.pop("PYTHONPATH", "").split(os.pathsep))
    if entries:
        environment["PYTHONPATH"] = os.pathsep.join(entries)


def without_checked_code(entries: "list[str]") -> "list[str]":
    """The absolute entries of a path that lie elsewhere. Relative ones mean another folder for everybody who asks."""
    return [entry for entry in entries if os.path.isabs(entry) and _is_elsewhere(entry)]


def _is_elsewhere(entry: str) -> bool:
    is_checked = _is_same(entry, os.curdir) or _is_in_project(entry)
    return not is_checked or any(_is_same(entry, trusted) for trusted in _TRUSTED)


def _is_in_project(entry: str) -> bool:
    """Whether PYTHONPATH names a folder of a checked project, or one around it."""
    real = os.path.realpath(entry)
    if real not in _by_variable or _holds_everything(real):
        return False
    return any((root + os.sep).startswith(real + os.sep) or real.startswith(root + os.sep) for root in _checked)


def _project_around(folder: str) -> str:
    """The outermost folder around a folder that looks like that of a project; without one, the folder itself.

    Empty where that would be the home folder or a whole disk: a library there is none of a project.
    """
    found = each = os.path.realpath(folder)
    while not _holds_everything(each):
        if any(os.path.exists(os.path.join(each, mark)) for mark in _MARKS):
            found = each
        each = os.path.dirname(each)
    return "" if _holds_everything(found) else found


def _holds_everything(folder: str) -> bool:
    home = os.environ.get("HOME") or os.environ.get("USERPROFILE") or ""
    return folder == os.path.dirname(folder) or (home != "" and folder == os.path.realpath(home))


def _is_same(one: str, other: str) -> bool:
    """Whether two names mean one folder: links and upper case may hide that."""
    try:
        return os.path.samefile(one, other)
    except OSError:  # one of them is not there
        return False
