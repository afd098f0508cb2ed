"""A folder that offers a module under every name that a program may import, each of which tells that it was run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Collection
from importlib import metadata
from pathlib import Path

_SIGN = ".ran"


def names() -> set[str]:
    """The top-level modules of the standard library, of ours and of all that is installed beside us."""
    ours = {"ddl_lint", "ddl_lint_rules", "ddl_lint_server"}
    installed = {name for name in metadata.packages_distributions() if name.isidentifier()}
    return {*sys.stdlib_module_names, *installed, *ours}


def loaded_at_start(*start: str, folder: Path) -> set[str]:
    """What an interpreter has loaded when it comes to the first line of the module `first_line` in a folder."""
    (folder / "first_line.py").write_text("import sys\nprint(*sys.modules)\n")
    line = [sys.executable, *start]
    found = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=True).stdout.split()
    return {name.partition(".")[0] for name in found}


def write_traps(folder: Path, left_out: Collection[str] = ()) -> None:
    """Put the modules into a folder."""
    for name in names().difference(left_out):
        (folder / f"{name}.py").write_text(f"open({str(folder / (name + _SIGN))!r}, 'w').close()\nimport torch\n")


def sprung(folder: Path) -> list[str]:
    """The names of the modules that were run."""
    return sorted(path.name.removesuffix(_SIGN) for path in folder.glob(f"*{_SIGN}"))
