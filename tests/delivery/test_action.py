"""The steps of the action, run for real. What is installed needs a network: it is left to `make test-release`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from composite import Action, environment
from ddl_lint.commands.check_options import FORMATS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PROGRAM = Path(sys.executable).with_name("ddl-lint")
INSTALLED = f'echo "program={PROGRAM}" >> "$GITHUB_OUTPUT"; echo "version=1.2.3" >> "$GITHUB_OUTPUT"'

HANG = """\
import torch.distributed as dist

dist.init_process_group("gloo")
if dist.get_rank() == 0:
    dist.barrier()
"""


@pytest.fixture(scope="module")
def temporary(tmp_path_factory):
    return tmp_path_factory.mktemp("runner")


@pytest.fixture
def act(tmp_path, temporary):
    workspace = tmp_path / "a checkout; echo hostile"
    workspace.mkdir()

    def run(files: dict[str, str], **inputs: str):
        for name, text in files.items():
            path = workspace / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        inputs.setdefault("sarif_file", "")
        return Action(ROOT, temporary, {"install": INSTALLED}).run(workspace, environment(temporary), **inputs)

    run.workspace = workspace  # type: ignore[attr-defined]
    return run


def test_findings_are_annotations_and_fail_the_job(act):
    outcome = act({"train.py": HANG})
    assert ",file=train.py,line=5," in outcome.log
    assert outcome.failed
    assert outcome.outputs == {"exit-code": "1"}


def test_a_clean_project_passes(act):
    outcome = act({"train.py": HANG.replace("if dist.get_rank() == 0:\n    ", "")})
    assert not outcome.failed, outcome.log
    assert outcome.outputs == {"exit-code": "0"}


def test_paths_and_arguments_are_taken_a_line_each_and_nothing_of_them_is_run(act):
    outcome = act(
        {"a b/train.py": HANG, "$(touch hit)/train.py": HANG, "other/train.py": HANG},
        paths="a b\n$(touch hit)\n",
        arguments="--exclude\n`touch hit`\n--exit-zero",
    )
    assert outcome.log.count("::error ") == 2
    assert not outcome.failed
    assert not (act.workspace / "hit").exists()


def test_modules_of_the_checkout_are_not_run_while_ddl_lint_is_installed(tmp_path, temporary):
    for name in ("venv", "pip", "ensurepip", "site", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text("open('hit', 'w')\n")
    around = environment(temporary)
    around["PATH"] = f"{PROGRAM.parent}{os.pathsep}{around['PATH']}"
    outcome = Action(ROOT, temporary).run(tmp_path, around, requirement="./gone.whl")  # else pip would need a network
    assert "'./gone.whl'" in outcome.log
    assert not (tmp_path / "hit").exists()


def test_what_cannot_be_checked_is_another_failure_than_findings(act):
    outcome = act({"train.py": HANG}, paths="gone")
    assert outcome.failed
    assert outcome.outputs == {"exit-code": "2"}


def test_a_report_is_written_where_it_is_wanted(act):
    outcome = act({"train.py": HANG}, report_file="report.html")
    assert outcome.outputs == {"exit-code": "1"}
    assert "Hang: only rank 0" in (act.workspace / "report.html").read_text(encoding="utf-8")


@pytest.mark.skipif("sarif" not in FORMATS, reason="ddl-lint writes no SARIF here")
def test_sarif_is_written_and_uploaded(act):
    outcome = act({"train.py": HANG}, sarif_file="found.sarif", upload="true")
    (run,) = json.loads((act.workspace / "found.sarif").read_text(encoding="utf-8"))["runs"]
    assert len(run["results"]) == 1
    name, given = outcome.uses[-1]
    assert name.startswith("github/codeql-action/upload-sarif@")
    assert given["sarif_file"] == "found.sarif"
    assert outcome.outputs == {"exit-code": "1"}


def test_a_folder_with_known_findings(act):
    """Files are named from the root, and what the baseline names is left out."""
    files = {"team a/src/train.py": HANG, "team a/src/other.py": HANG}
    found = act(files, working_directory="team a", paths="src", report_file="out.html", arguments="--exit-zero")
    assert ",file=team a/src/train.py,line=5," in found.log and not found.failed
    assert (act.workspace / "out.html").exists()
    subprocess.run(
        [PROGRAM, "check", "--write-baseline", "team a/known.json", "team a/src/other.py"],
        cwd=act.workspace,
        capture_output=True,
        timeout=120,
    )
    left = act({}, working_directory="team a", paths="src", baseline="known.json")
    assert left.log.count("::error ") == 1 and "team a/src/train.py" in left.log


def test_the_summary_of_the_job_lists_the_findings(act, temporary):
    summary = temporary / "summary.md"
    around = {**environment(temporary), "GITHUB_STEP_SUMMARY": str(summary)}
    act({"train.py": HANG})  # lays the checkout out
    action = Action(ROOT, temporary, {"install": INSTALLED})
    action.run(act.workspace, around, sarif_file="", summary="false")
    assert not summary.exists()
    action.run(act.workspace, around, sarif_file="")
    assert "train.py:5:5: error DDL502" in summary.read_text(encoding="utf-8")


def test_the_summary_says_what_ended_a_job_by_its_logs(act, tmp_path):
    summary, temporary = tmp_path / "summary.md", tmp_path / "of the runner"
    temporary.mkdir()
    around = {**environment(temporary), "GITHUB_STEP_SUMMARY": str(summary)}
    log = """\
[rank0]: Traceback (most recent call last):
[rank0]:   File "/home/jane/train.py", line 5, in <module>
[rank0]:     dist.barrier()
[rank0]: RuntimeError: [pair.cc:553] Connection closed by peer [10.1.2.3]:25999.
"""
    act({"train.py": HANG, "logs of all/job.log": log})
    action = Action(ROOT, temporary, {"install": INSTALLED})
    outcome = action.run(act.workspace, around, sarif_file="", summary="false", logs="nowhere\nlogs of all\n")
    text = summary.read_text(encoding="utf-8")
    assert text.startswith("### What ended the job\n")
    assert "train.py:5: Hang: only rank 0 calls `barrier`" in text
    assert "10.1.2.3" not in text + outcome.log
    summary.unlink()
    assert (
        "there is no log to read"
        in action.run(act.workspace, around, sarif_file="", summary="false", logs="nowhere").log
    )
    assert not summary.exists()


def test_nothing_is_uploaded_unless_it_is_wanted(act):
    used = [name.partition("@")[0] for name, _ in act({"train.py": HANG}).uses]
    assert used == ["actions/setup-python", "actions/cache"]


def test_results_are_kept_from_run_to_run(act):
    _, (_, given) = act({"train.py": HANG}).uses
    assert given["key"].startswith(given["restore-keys"])
    assert "1.2.3" in given["restore-keys"]
    assert any(Path(given["path"]).iterdir())


@pytest.mark.parametrize("requirement", ["ddl-lint", "ddl-lint==1.2.3", "https://a.example/ddl_lint.whl", "--pre x"])
def test_nothing_is_installed_by_a_name_that_anybody_could_register(tmp_path, temporary, requirement):
    outcome = Action(ROOT, temporary).run(tmp_path, environment(temporary), requirement=requirement)
    assert outcome.failed
    assert "::error::requirement: " in outcome.log


def test_without_paths_nothing_is_checked(act):
    outcome = act({"train.py": HANG}, paths="\n\n")
    assert outcome.failed
    assert outcome.outputs == {"exit-code": "2"}
    assert "names nothing to check" in outcome.log


def test_a_report_of_the_checkout_is_not_uploaded_as_ours(act):
    outcome = act({"train.py": HANG, "found.sarif": "forged"}, sarif_file="found.sarif", upload="true", paths="gone")
    assert not any(name.startswith("github/codeql-action") for name, _ in outcome.uses)
