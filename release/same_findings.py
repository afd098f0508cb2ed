"""Holds the compiled core to its source: both find the same, to the byte .

It is run by a Python that has a compiled wheel installed, and looks at the programs in the folders: by default at the
examples, and at the faulty and correct programs of the rules.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = (ROOT / "examples", ROOT / "rules" / "ddl_lint_rules")
FOUND = 1  # the exit code of a check that has found something


def main() -> None:
    """Compare, or stop with what is wrong."""
    spec = find_spec("ddl_lint")
    if spec is None or spec.origin is None or ROOT in Path(spec.origin).parents:
        sys.exit("ddl-lint is not installed here, or the checkout is on the path")
    package = Path(spec.origin).parent
    folders = [Path(each).resolve() for each in sys.argv[1:]] or PROGRAMS
    with tempfile.TemporaryDirectory() as name:
        pure = Path(name)
        shutil.copytree(package, pure / package.name, ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
        for folder in folders:
            compiled, source = findings(package.parent, folder, True), findings(pure, folder, False)
            if compiled != source:
                sys.exit(f"{folder}: the compiled core finds something else than its source")
            print(f"{folder}: {len(source):,} bytes of findings, the same", flush=True)


def findings(place: Path, folder: Path, is_compiled: bool) -> bytes:
    """What the package in a place finds in a folder, as JSON."""
    code = (
        f"import sys; sys.path.insert(0, {str(place)!r})\n"
        "from ddl_lint.commands.main import main\n"
        "from ddl_lint.commands.version import is_compiled\n"
        "print(is_compiled(), file=sys.stderr)\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    words = ["check", "--no-cache", "--jobs", "1", "--output-format", "json", str(folder)]
    # Isolated, so that neither the working directory nor the environment adds to the path.
    result = subprocess.run([sys.executable, "-I", "-c", code, *words], capture_output=True)
    if result.returncode != FOUND or result.stderr.split()[:1] != [str(is_compiled).encode()]:
        sys.exit(f"{place}: the check ended with {result.returncode}: {result.stderr.decode(errors='replace')}")
    return result.stdout


if __name__ == "__main__":
    main()
