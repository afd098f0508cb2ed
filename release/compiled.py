"""Builds a wheel with a compiled core and tries it: `python release/compiled.py [TESTS ...]`.

The wheel is installed into a clean environment, where it must find what its source finds, and where the named tests
run, against the wheel and not against the checkout. It needs a C compiler, a network, and the optional dependencies
`release`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from check import ROOT, install, say


def main() -> None:
    """Do all of it, or stop with what is wrong."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = build(folder / "wheel")
        python = install(sys.executable, wheel, folder / "environment")
        _run(python, ROOT / "release" / "same_findings.py")
        if tests := sys.argv[1:]:
            _run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{wheel}[dev]")
            # Not `python -m pytest`: that would put the checkout on the path.
            _run(python.with_name("pytest"), "-m", "not nightly and not ray", *tests)
    say(f"{wheel.name} finds what its source does")


def build(output: Path) -> Path:
    """A wheel for this platform and Python."""
    switch = {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "true"}
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(output), str(ROOT)]
    subprocess.run(command, env={**os.environ, **switch}, check=True)
    (wheel,) = output.glob("*.whl")
    if wheel.name.endswith("-none-any.whl"):
        sys.exit(f"{wheel.name} holds nothing compiled")
    return wheel


def _run(*command: str | Path) -> None:
    if subprocess.run([str(word) for word in command], cwd=ROOT).returncode:
        sys.exit(f"this failed: {' '.join(map(str, command))}")


if __name__ == "__main__":
    main()
