"""The job of the template for GitLab, run for real. Nothing is installed, which needs a network: pip shows its help, as
in all commands of the `python` that is first on the path here.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from gitlab_job import Ended, Job

from composite import environment

pytestmark = pytest.mark.slow

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
        helpful = home / "bin" / "python"
        helpful.parent.mkdir(exist_ok=True)
        helpful.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@" --help\n')
        helpful.chmod(0o755)
        self._environment["PATH"] = os.pathsep.join([str(helpful.parent), str(BIN), self._environment["PATH"]])

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(self, shell: str = "bash", **variables: str) -> Ended:
        variables.setdefault("DDL_LINT_REQUIREMENT", "./ddl_lint-1.2.3-py3-none-any.whl")
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


KEY = {"DDL_LINT_CACHE_KEY": "a secret of the project"}


def entries(project) -> set[str]:
    (cached,) = JOB.cached
    return {path.relative_to(project.folder).as_posix() for path in (project.folder / cached).glob("reports/*")}


def test_what_is_kept_from_run_to_run_is_in_the_project_and_is_not_checked(project):
    project.write("train.py", HANG)
    first = project.run(**KEY)
    kept = entries(project)
    assert kept
    project.write(f"{JOB.cached[0]}/left/train.py", HANG)
    assert project.run(**KEY) == first
    assert entries(project) == kept
    assert len(project.issues) == 1


def test_nothing_is_kept_without_a_key_nor_taken_from_a_commit(project):
    project.write("train.py", HANG)
    project.run(**KEY)
    project.run()
    assert not (project.folder / JOB.cached[0]).exists()


def test_results_that_a_commit_brings_hide_nothing(project):
    """Here they are those of another key; what is in them does not matter."""
    project.write("train.py", HANG)
    project.run(DDL_LINT_CACHE_KEY="that of somebody else")
    before = {name: (project.folder / name).read_bytes() for name in entries(project)}
    assert len(project.run(**KEY).log) and len(project.issues) == 1
    assert before and all((project.folder / name).read_bytes() != content for name, content in before.items())


def test_links_in_place_of_what_is_kept_lead_nowhere(project, tmp_path):
    project.write("train.py", HANG)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "mine").write_text("mine")
    (project.folder / JOB.cached[0]).symlink_to(outside)
    (project.folder / JOB.artifact).symlink_to(outside / "mine")
    assert project.run(**KEY).code == 1
    assert [(path.name, path.read_text()) for path in outside.iterdir()] == [("mine", "mine")]
    assert not (project.folder / JOB.cached[0]).is_symlink()
    assert len(project.issues) == 1


@pytest.mark.parametrize(
    ("requirement", "told"),
    [
        ("", "give a wheel, a path"),
        ("ddl-lint", "give a wheel, a path"),
        ("ddl-lint==1.2.3", "give a wheel, a path"),
        ("--index-url=x ddl-lint", "give a wheel, a path"),
        ("http://a.example/ddl_lint.whl#sha256=00", "needs https and #sha256="),
        ("https://a.example/ddl_lint.whl", "needs https and #sha256="),
        ("https://a.example/ddl_lint.whl#sha256=", "needs https and #sha256="),
    ],
)
def test_nothing_is_installed_by_a_name_that_anybody_could_register(project, requirement, told):
    project.write("train.py", HANG)
    ended = project.run(DDL_LINT_REQUIREMENT=requirement)
    assert (ended.code, told in ended.log, "pip install" in ended.log) == (2, True, False), ended.log


def test_modules_of_the_checkout_are_not_run(project):
    for name in ("pip", "site", "sitecustomize", "ddl_lint", "json"):
        project.write(f"{name}.py", "open('hit', 'w')\n")
    project.run()
    assert not (project.folder / "hit").exists()
