"""Stored programs and reports: the same output with any cache, and no work where nothing has changed."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

pytestmark = pytest.mark.slow

_GUARDED = """\
import torch.distributed as dist
from helper import announce

def main():
    dist.init_process_group("gloo")
    if dist.get_rank() == 0:
        dist.barrier()
    announce()

main()
"""
_HELPER = """\
import torch.distributed as dist

def announce():
    dist.barrier()
"""
_CODE = """\
import sys
from ddl_lint.commands.main import main
code = main(sys.argv[1:])
heavy = ("libcst", "astroid", "yaml", "importlib.metadata", "pygls", "lsprotocol")
heavy += ("ddl_lint.check.engine", "ddl_lint.analysis.runs")
print([name for name in heavy if name in sys.modules], file=sys.stderr)
print(len([name for name in sys.modules if name.startswith("ddl_lint")]), file=sys.stderr)
sys.exit(code)
"""


_MOST_MODULES = 85
"""Of ours that a check takes that only tells what an earlier one has found."""


class Outcome(NamedTuple):
    code: int
    output: str
    loaded: str
    """Which of the heavy modules were."""
    modules: int
    """How many of ours were."""


class Project:
    """A folder with programs, and a cache."""

    def __init__(self, root: Path, cache: Path) -> None:
        self.root, self.cache = root, cache
        root.mkdir()
        self.write("train.py", _GUARDED)
        self.write("helper.py", _HELPER)

    def write(self, name: str, text: str, age: int = 100) -> None:
        path = self.root / name
        path.write_text(text, encoding="utf-8")
        moment = path.stat().st_mtime - age
        os.utime(path, (moment, moment))

    def check(self, *options: str) -> Outcome:
        """What a process of its own says."""
        command = [sys.executable, "-c", _CODE, "check", *options]
        variables = {**os.environ, "DDL_LINT_CACHE_DIR": str(self.cache)}
        result = subprocess.run(command, cwd=self.root, env=variables, capture_output=True, text=True, timeout=120)
        *said, modules = result.stderr.splitlines(keepends=True)
        return Outcome(result.returncode, result.stdout, "".join(said), int(modules))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project", tmp_path / "cache")


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_warm_run_says_the_same_and_loads_nothing(project: Project, form: str) -> None:
    plain = project.check("--no-cache", "--output-format", form)
    cold = project.check("--output-format", form)
    warm = project.check("--output-format", form)
    assert plain.code == 1 and "collective-under-rank-guard" in plain.output
    assert plain[:2] == cold[:2] == warm[:2]
    assert "ddl_lint.check.engine" in cold.loaded and warm.loaded == "[]\n"
    assert warm.modules <= _MOST_MODULES


def test_no_cache_stores_no_results(project: Project) -> None:
    project.check("--no-cache")
    project.check("--no-cache")
    assert not {"reports", "programs", "units"} & {path.name for path in project.cache.iterdir()}


def test_a_change_of_one_file_parses_that_file_only(project: Project) -> None:
    project.check()
    before = sorted((project.cache / "programs").iterdir())
    project.write("helper.py", _HELPER.replace("dist.barrier()", "pass"))
    again = project.check()
    after = sorted((project.cache / "programs").iterdir())
    assert len(set(after) - set(before)) == 1
    assert again[:2] == project.check("--no-cache")[:2]


def test_what_was_found_before_a_change_is_there_when_it_is_undone(project: Project) -> None:
    before = project.check()
    for text in (_HELPER.replace("dist.barrier()", "pass"), _HELPER + "# a comment\n"):
        project.write("helper.py", text)
        changed = project.check()
        assert changed.output == project.check("--no-cache").output
    project.write("helper.py", _HELPER, age=50)
    again = project.check()
    assert again[:2] == before[:2] and again.loaded == "[]\n"
    assert project.check().loaded == "[]\n"


def test_what_was_lowered_before_needs_no_parser(project: Project) -> None:
    project.check()
    other = project.check("--select", "init-rank-world-size")
    assert other.loaded == "['ddl_lint.check.engine', 'ddl_lint.analysis.runs']\n"


def test_settings_and_options_count(project: Project) -> None:
    assert project.check().code == 1
    assert project.check("--ignore", "collective-under-rank-guard").code == 0
    (project.root / "ddl-lint.toml").write_text('ignore = ["collective-under-rank-guard"]')
    assert project.check().code == 0
    (project.root / "ddl-lint.toml").write_text('ignore = ["missing-set-epoch"]')
    assert project.check().code == 1


@pytest.mark.parametrize("kind", ["reports", "programs", "models", "rules", "fingerprints"])
@pytest.mark.parametrize("damage", ["empty", "cut", "foreign"])
def test_damaged_entries_are_made_anew(project: Project, kind: str, damage: str) -> None:
    cold = project.check()
    for path in (project.cache / kind).iterdir():
        content = path.read_bytes()
        path.write_bytes({"empty": b"", "cut": content[:-5], "foreign": random.Random(1).randbytes(400)}[damage])
    assert project.check()[:2] == cold[:2]
    assert project.check().loaded == "[]\n"


_CONFIGURED = """\
import argparse
import torch.distributed as dist
import yaml

parser = argparse.ArgumentParser()
parser.add_argument("--config", required=True)

def main():
    with open(parser.parse_args().config) as file:
        settings = yaml.safe_load(file)
    dist.init_process_group("gloo")
    if settings["guarded"]:
        if dist.get_rank() == 0:
            dist.barrier()

main()
"""


def test_settings_that_the_program_reads_count(project: Project) -> None:
    project.write("train.py", _CONFIGURED.replace("parser.parse_args().config", "'settings.yaml'"))
    found: list[int] = []
    for guarded in (True, False, True):
        project.write("settings.yaml", f"guarded: {guarded}\n", age=50 + len(found))
        outcome = project.check()
        assert outcome.output == project.check("--no-cache").output
        found.append(outcome.code)
    (project.root / "settings.yaml").unlink()
    assert found == [1, 0, 1] and project.check().output == project.check("--no-cache").output


def test_which_settings_a_launch_names_counts(project: Project) -> None:
    project.write("train.py", _CONFIGURED)
    project.write("on.yaml", "guarded: true\n")
    project.write("off.yaml", "guarded: false\n")
    for name in ("on", "off", "on"):
        project.write("run.sh", f"torchrun --nproc_per_node 4 train.py --config {name}.yaml\n")
        first, second = (project.check(*each, "--output-format", "json").output for each in ((), ("--no-cache",)))
        assert json.loads(first) == json.loads(second)


def test_fixes_are_stored_whole(project: Project) -> None:
    cold = project.check("--diff", "--unsafe-fixes")
    warm = project.check("--diff", "--unsafe-fixes")
    assert cold.code == 1 and cold.output.startswith("---") and cold[:2] == warm[:2]
    project.check("--fix", "--unsafe-fixes")
    assert "if dist.get_rank() == 0" not in (project.root / "train.py").read_text(encoding="utf-8")
    assert project.check().code == 0


def test_hints_are_stored(project: Project) -> None:
    """What all ranks write, and the program does not read again."""
    record = '    with open("log.txt", "w") as log:\n        log.write(str(dist.get_rank()))\n'
    project.write("train.py", _GUARDED.replace("    announce()\n", f"    announce()\n{record}"))
    cold, warm = (project.check("--output-format", "json").output for _ in range(2))
    assert ("DDL403", "info") in {(each["code"], each["severity"]) for each in json.loads(cold)["diagnostics"]}
    assert cold == warm
    assert "1 hint" in project.check().output and "1 hint" in project.check().output


def test_the_same_files_at_another_place_are_other_files(project: Project, tmp_path: Path) -> None:
    project.check()
    other = Project(tmp_path / "other", project.cache)
    outcome = other.check("--output-format", "json")
    assert json.loads(outcome.output) == json.loads(other.check("--no-cache", "--output-format", "json").output)


def test_another_folder_for_the_cache(project: Project, tmp_path: Path) -> None:
    project.check("--cache-dir", str(tmp_path / "elsewhere"))
    assert (tmp_path / "elsewhere" / "reports").is_dir()
    assert not (project.cache / "reports").exists()


_SKIPS = """\
import torch.distributed as dist

def evaluate(skips):
    if skips:
        return
    dist.barrier()
"""
_CALLER = """\
import torch.distributed as dist
from evaluate import evaluate

dist.init_process_group("gloo")
evaluate(dist.get_rank() != 0)
"""


def test_callers_count(project: Project) -> None:
    """The report of one file goes stale when a caller changes, comes, is excluded, or goes."""

    def told() -> str:
        outcome = project.check("--output-format", "concise", "evaluate.py")
        assert outcome[:2] == project.check("--no-cache", "--output-format", "concise", "evaluate.py")[:2]
        again = project.check("--output-format", "concise", "evaluate.py")
        assert again[:2] == outcome[:2] and again.loaded == "[]\n"
        return outcome.output

    (project.root / ".git").mkdir()
    project.write("evaluate.py", _SKIPS)
    assert "DDL506" not in told()
    project.write("run.py", _CALLER)
    assert "DDL506" in told()
    project.write("run.py", _CALLER.replace("dist.get_rank() != 0", "False"))
    assert "DDL506" not in told()
    project.write("second.py", _CALLER)
    assert "DDL506" in told()
    (project.root / ".gitignore").write_text("second.py\n")
    assert "DDL506" not in told()
    (project.root / ".gitignore").unlink()
    assert "DDL506" in told()
    (project.root / "second.py").unlink()
    assert "DDL506" not in told()
