"""Compiles modules with mypyc: `python build.py SOURCE TARGET MODULE ...`.

SOURCE is a folder with the package and a `pyproject.toml`; MODULE are paths or patterns in it. What is compiled appears
in TARGET, at the same paths. The source is not touched.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from written_out import written_out

_SETUP = """
from mypyc.build import mypycify
from setuptools import setup

arguments = ["--config-file=mypy.toml", *{modules!r}]
modules = mypycify(arguments, group_name={group!r}, opt_level="2", debug_level="0", multi_file=True)
setup(name="core", packages=[], ext_modules=modules)
"""


def compile_core(source: Path, target: Path, patterns: Sequence[str]) -> None:
    """Compile the modules that the patterns mean.

    Raises:
        RuntimeError: mypyc or the C compiler has failed.
    """
    found = {path.relative_to(source).as_posix() for each in patterns for path in source.glob(each)}
    modules = sorted(each for each in found if (source / each).stat().st_size and not each.endswith("__init__.py"))
    package, *_ = modules[0].split("/")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        shutil.copytree(source / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copyfile(source / "pyproject.toml", folder / "mypy.toml")
        for module in modules:
            path = folder / module
            path.write_text(written_out(path.read_text(encoding="utf-8"), source), encoding="utf-8")
        setup = folder / "setup.py"
        setup.write_text(_SETUP.format(modules=modules, group=package), encoding="utf-8")
        command = [sys.executable, setup.name, "build_ext", "--build-lib", str(target.resolve())]
        result = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode:
            raise RuntimeError(f"the core was not compiled:\n{result.stdout}")


if __name__ == "__main__":
    compile_core(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
    print(os.linesep.join(sorted(map(str, Path(sys.argv[2]).rglob("*.*")))))
