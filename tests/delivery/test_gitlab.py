"""The job of the template for GitLab, run for real. Nothing is installed, which needs a network: pip shows its help."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from gitlab_job import Ended, Job

from composite import environment

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
JOB = Job(ROOT / "ci" / "ddl-lint.gitlab-ci.yml", "ddl-lint")

HANG = """\
import torch.distributed as dist

dist.init_process_group("gloo")
if dist.get_rank() == 0:
    dist.barrier()
"""
NO_HANG = HANG.replace("if dist.get_rank() == 0:\n    ", "")


class Project:
    """A checkout, and what the job does in it."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder = folder
        self._environment = environment(home)
        self._environment["PATH"] = f"{BIN}{os.pathsep}{self._environment['PATH']}"

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(self, shell: str = "bash", **variables: str) -> Ended:
        variables.setdefault("DDL_LINT_REQUIREMENT", "--help")
        return JOB.run(self.folder, self._environment, shell, **variables)

    @property
    def issues(self) -> list[dict[str, object]]:
        """Those of the report, which GitLab takes from where the template says."""
        return json.loads((self.folder / JOB.artifact).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def project(tmp_path, home):
    folder = tmp_path / "a checkout"
    folder.mkdir()
    return Project(folder, home)


@pytest.mark.parametrize("shell", ["bash", "sh"])
def test_findings_fail_the_job_are_in_its_log_and_in_the_report(project, shell):
    project.write("src/train.py", HANG)
    ended = project.run(shell)
    assert ended.code == 1, ended.log
    assert "pip install" in ended.log
    assert "src/train.py:5:5: error DDL502" in ended.log
    (issue,) = project.issues
    assert issue["location"] == {"path": "src/train.py", "lines": {"begin": 5, "end": 5}}


def test_a_clean_project_passes_and_leaves_an_empty_report(project):
    project.write("train.py", NO_HANG)
    ended = project.run()
    assert ended.code == 0, ended.log
    assert project.issues == []


def test_the_variable_says_what_is_checked_and_how(project):
    for name in ("src", "launch", "other"):
        project.write(f"{name}/train.py", HANG)
    ended = project.run(DDL_LINT_ARGUMENTS="--exit-zero src launch")
    assert ended.code == 0, ended.log
    assert [issue["location"]["path"] for issue in project.issues] == ["launch/train.py", "src/train.py"]


def test_what_cannot_be_checked_is_another_failure_than_findings(project):
    project.write("train.py", NO_HANG)
    ended = project.run(DDL_LINT_ARGUMENTS="train.py gone")
    assert ended.code == 2
    assert "gone" in ended.log


def test_what_is_kept_from_run_to_run_is_in_the_project_and_is_not_checked(project):
    project.write("train.py", HANG)
    first = project.run()
    assert any(any((project.folder / path).rglob("*")) for path in JOB.cached)
    assert all(Path(path).parts[0].startswith(".") for path in JOB.cached)
    project.write(f"{JOB.cached[0]}/left/train.py", HANG)
    assert project.run() == first
    assert len(project.issues) == 1


def test_modules_of_the_checkout_are_not_run(project):
    for name in ("pip", "site", "sitecustomize", "ddl_lint", "json"):
        project.write(f"{name}.py", "open('hit', 'w')\n")
    project.run()
    assert not (project.folder / "hit").exists()
