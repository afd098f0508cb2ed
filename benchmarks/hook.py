"""What a commit waits for: pre-commit with our hook, one changed file of a project of 1,000 files.

`python -m benchmarks.hook [--rounds 5]`. The hook runs with the ddl-lint that is installed here.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

import yaml

from benchmarks.generated import make_project, part
from benchmarks.processes import Usage, run

_ROOT = Path(__file__).parents[1]
_FILES = 1_000
_LINES = 300
_BIN = Path(sys.executable).parent


def measure(rounds: int) -> str:
    """A line for each way in which it may be called."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        project, cache = folder / "project", folder / "cache"
        project.mkdir()
        script = make_project(project, [_LINES])[_LINES]
        present = sum(1 for _ in project.rglob("*.py"))
        for number in range(200, 200 + _FILES - present):
            (project / "parts" / f"block_{number:03}.py").write_text(part(number))
        environment = {
            "DDL_LINT_CACHE_DIR": str(cache),
            "PRE_COMMIT_HOME": str(folder / "pre-commit"),
            "PATH": f"{_BIN}{os.pathsep}{os.environ['PATH']}",
        }
        _make_repository(project)
        rows: list[str] = []
        for title, changed, is_cold in (
            ("script, cold", script, True),
            ("script, warm", script, False),
            ("module of the script, warm", project / "parts" / "block_005.py", False),
        ):
            usages = [
                _commit(project, changed, cache if is_cold else None, environment, each) for each in range(rounds)
            ]
            rows.append(f"{title:<28} {_middle(usages)}")
        empty = [run(_pre_commit(), folder=project, environment=environment) for _ in range(rounds)]
        rows.append(f"{'nothing staged':<28} {_middle(empty)}")
    return "\n".join(rows)


def _make_repository(project: Path) -> None:
    manifest = yaml.safe_load((_ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (hook,) = (each for each in manifest if each["id"] == "ddl-lint")
    config = {"repos": [{"repo": "local", "hooks": [{**hook, "language": "system"}]}]}
    (project / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "all")):
        _git(project, *words)


def _commit(project: Path, changed: Path, cache: Path | None, environment: dict[str, str], number: int) -> Usage:
    """Change a file, stage it and run the hook; without what is stored, where its folder is given."""
    with changed.open("a", encoding="utf-8") as file:
        file.write(f"ROUND = {number}\n")
    _git(project, "add", ".")
    if cache is not None:
        shutil.rmtree(cache, ignore_errors=True)
        # The compiled API models are there, as after any earlier run.
        run((str(_BIN / "ddl-lint"), "check", "--isolated", os.devnull), fine=(0, 1, 2), environment=environment)
    usage = run(_pre_commit(), fine=(0, 1), folder=project, environment=environment)
    _git(project, "commit", "-qm", "change")
    return usage


def _pre_commit() -> tuple[str, ...]:
    return sys.executable, "-m", "pre_commit", "run"


def _git(project: Path, *words: str) -> None:
    author = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", *author, *words], cwd=project, check=True, capture_output=True)


def _middle(usages: list[Usage]) -> str:
    cpu, wall = median(usage.cpu for usage in usages), median(usage.wall for usage in usages)
    return f"{cpu:6.2f} s CPU {wall:6.2f} s elapsed"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    print(measure(parser.parse_args().rounds))


if __name__ == "__main__":
    main()
