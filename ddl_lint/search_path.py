"""From where modules are imported: never from the working directory, which holds the code that is checked.

Only what every interpreter has loaded at its start may be imported here, and by `__init__` and `__main__`: until the
path is clean, anything else could come from that folder.
"""

import os
import sys


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


def without_working_directory(entries: "list[str]") -> "list[str]":
    """The absolute entries of a path that lie elsewhere. Relative ones mean another folder for everybody who asks."""
    return [entry for entry in entries if os.path.isabs(entry) and _is_elsewhere(entry)]


def leave_working_directory_out() -> None:
    """Import nothing from the working directory from now on, whatever put it on the path (`-m`, PYTHONPATH)."""
    sys.path[:] = without_working_directory(sys.path)


def _is_elsewhere(entry: str) -> bool:
    return not _is_same(entry, os.curdir) or any(_is_same(entry, trusted) for trusted in _TRUSTED)


def _is_same(one: str, other: str) -> bool:
    """Whether two names mean one folder: links and upper case may hide that."""
    try:
        return os.path.samefile(one, other)
    except OSError:  # one of them is not there
        return False
