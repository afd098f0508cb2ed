"""What runs in CI: pinned, without known holes, and with what exists."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FILES = [*WORKFLOWS, ROOT / "action.yml"]


def content(path: Path) -> dict[str, Any]:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_actions_are_pinned_by_commit_and_name_their_version(path):
    used = re.findall(r"^\s*(?:- )?uses: *(.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert used or path.name not in ("ci.yml", "action.yml")
    for line in used:
        assert line.startswith("./") or re.fullmatch(r"[\w-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line), line


def test_one_version_of_each_action():
    text = "".join(path.read_text(encoding="utf-8") for path in FILES)
    used = set(re.findall(r"uses: *([\w./-]+)@(\w+)", text))
    assert len({name for name, _ in used}) == len(used)


def test_zizmor_finds_nothing():
    paths = [str(path.relative_to(ROOT)) for path in FILES]
    command = [
        str(Path(sys.executable).with_name("zizmor")),
        "--offline",
        "--no-progress",
        "--persona=pedantic",
        *paths,
    ]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_the_targets_of_make_exist(path):
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    asked = set(re.findall(r"\bmake ((?:[a-z][\w-]* ?)+)", path.read_text(encoding="utf-8")))
    assert {target for words in asked for target in words.split()} <= targets


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_jobs_may_only_read_unless_they_say_why(path):
    workflow = content(path)
    assert workflow["permissions"] in ({"contents": "read"}, {})
    for name, job in workflow["jobs"].items():
        writes = {scope for scope, level in job.get("permissions", {}).items() if level == "write"}
        assert not writes or path.name == "release.yml", name


def test_a_release_is_built_once_from_a_tag_attested_and_published_without_a_secret():
    path = ROOT / ".github" / "workflows" / "release.yml"
    workflow, text = content(path), path.read_text(encoding="utf-8")
    assert workflow[True] == {"push": {"tags": ["v[0-9]+.[0-9]+.[0-9]+*"]}}  # `on` is a boolean in YAML
    assert "secrets." not in text
    assert text.count("make test-release") == 1
    steps = workflow["jobs"]["publish"]["steps"]
    attested = [step["with"] for step in steps if "attest-build-provenance" in step.get("uses", "")]
    assert attested == [{"subject-path": "release/*"}]
    assert "uv publish --trusted-publishing always release/" in steps[-1]["run"]


def test_the_template_for_gitlab_checks_and_leaves_its_report():
    job = content(ROOT / "ci" / "ddl-lint.gitlab-ci.yml")["ddl-lint"]
    report = job["artifacts"]["reports"]["codequality"]
    assert any(f"--output-file {report}" in line for line in job["script"])
    assert any("ddl-lint check " in line and line.endswith("|| code=$?") for line in job["script"])
    assert job["script"][-1] == "exit $code"  # that of the check decides how the job ends


def test_the_container_has_all_that_a_wheel_is_made_of_and_no_rights():
    lines = (ROOT / "Containerfile").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("USER ")] == ["USER checker"]
    allowed = {line[1:] for line in (ROOT / ".containerignore").read_text().splitlines() if line.startswith("!")}
    assert {"LICENSE", "README.md", "pyproject.toml", "ddl_lint", "rules", "server"} <= allowed
    assert all((ROOT / name).exists() for name in allowed)
