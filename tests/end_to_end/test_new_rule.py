"""`ddl-lint new-rule`: what it lays out runs at once, and nothing is overwritten."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ddl_lint.commands import main as cli
from ddl_lint.registry.rule_file import read_rule_file, rule_info
from ddl_lint.registry.rules import load_rules

pytestmark = pytest.mark.slow

GUARDED = (
    "import torch.distributed as dist\n\ndist.init_process_group('gloo')\n"
    "if dist.get_rank() == 0:\n    dist.barrier()\n"
    "for _ in range(3):\n    dist.barrier()\n"
    "dist.destroy_process_group()\n"
)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DDL_LINT_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Where the new package goes."""
    return tmp_path / "acme-rules"


@pytest.fixture
def new_rule(root: Path, capsys: pytest.CaptureFixture[str]):
    """Run the command; returns the exit code and what was said."""

    def call(name: str, *options: str) -> tuple[int, str]:
        code = cli.main(["new-rule", name, "--package", str(root), *options])
        said = capsys.readouterr()
        return code, said.out + said.err

    return call


def install(root: Path) -> dict[str, str]:
    """What `pip install -e` does: the environment in which the package is on the path, and registered."""
    about = root.parent / "installed" / "acme_rules-0.1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-rules\nVersion: 0.1.0\n")
    (about / "entry_points.txt").write_text("[ddl_lint.rules]\nacme_rules = acme_rules\n")
    source = (
        f"import sys\nsys.path.append({str(root / 'src')!r})\n"  # as a file `.pth` among the installed packages does
    )
    (about.parent / "sitecustomize.py").write_text(source)
    return {**os.environ, "PYTHONPATH": str(about.parent)}


def checked(folder: Path, environment: dict[str, str], *options: str) -> tuple[int, list[tuple[str, str]], str]:
    command = [sys.executable, "-m", "ddl_lint", "check", "--isolated", "--output-format", "json", *options, "."]
    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60)
    found = [(each["code"], each["message"]) for each in json.loads(result.stdout)["diagnostics"]]
    return result.returncode, found, result.stderr


@pytest.mark.parametrize("options", [(), ("--fix",)], ids=["without a fix", "with a fix"])
def test_a_new_package_runs_at_once_and_passes_its_test(new_rule, root, options):
    code, said = new_rule("barrier-in-loop", *options)
    assert code == 0
    assert "`barrier-in-loop` (ACME401)" in said
    rule_folder = root / "src" / "acme_rules" / "training" / "barrier_in_loop"
    info = rule_info(read_rule_file(rule_folder / "rule.yaml"))
    assert info.fixable is bool(options)
    environment = install(root)
    message = "Wasted work: all ranks wait for the slowest in each iteration"
    project = shutil.copytree(
        rule_folder, root.parent / "project"
    )  # what a variable names inside of a project is left out
    assert checked(project / "bad", environment, "--select", "barrier-in-loop")[:2] == (1, [("ACME401", message)])
    assert checked(project / "good", environment, "--preview", "--pedantic")[:2] == (0, [])
    if options:
        command = [sys.executable, "-m", "ddl_lint", "check", "--select", "ACME401", "--fix", "--unsafe-fixes", "."]
        subprocess.run(command, cwd=project / "bad", env=environment, capture_output=True, timeout=60)
        assert (project / "bad" / "train.py").read_text() == (project / "good" / "train.py").read_text()
    else:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "tests"]
        result = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=60)
        assert "3 passed" in result.stdout, result.stdout


def test_a_check_that_cannot_be_imported_costs_its_own_rule_only(new_rule, root, tmp_path):
    new_rule("barrier-in-loop")
    (root / "src" / "acme_rules" / "training" / "barrier_in_loop" / "check.py").write_text("import not_there\n")
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "train.py").write_text(GUARDED)
    code, found, _ = checked(folder, install(root), "--extend-select", "barrier-in-loop")
    assert code == 1
    assert sorted(found)[0] == (
        "DDL002",
        "the rule `barrier-in-loop` failed at acme_rules/training/barrier_in_loop/check.py:1, "
        "not because of this file: ModuleNotFoundError: No module named 'not_there'",
    )
    assert "DDL502" in dict(found)


def test_a_rule_file_that_cannot_be_used_costs_its_own_rule_only(new_rule, root, tmp_path):
    new_rule("barrier-in-loop")
    file = root / "src" / "acme_rules" / "training" / "barrier_in_loop" / "rule.yaml"
    file.write_text(file.read_text().replace("severity: warning", "severity: bad").replace("rulekit: 1", "rulekit: 9"))
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "train.py").write_text(GUARDED)
    code, found, said = checked(folder, install(root), "--ignore", "ACME401")
    assert code == 2
    assert [code for code, _ in found] == ["DDL502"]
    assert [line.partition(" ")[0].removeprefix(str(file)) for line in said.split("\n  ")[1:]] == [":7:", ":12:"]


def test_a_second_rule_gets_the_next_code_of_its_stage_and_leaves_the_rest_alone(new_rule, root):
    new_rule("barrier-in-loop")
    before = {file: file.read_bytes() for file in root.rglob("*") if file.is_file()}
    assert "(ACME402)" in new_rule("late-barrier")[1]
    assert "(ACME501)" in new_rule("lonely-barrier", "--stage", "hangs_and_performance")[1]
    assert {file: file.read_bytes() for file in before} == before


def test_nothing_is_overwritten(new_rule, root):
    file = root / "tests" / "test_late_barrier.py"
    file.parent.mkdir(parents=True)
    file.write_text("mine")
    code, said = new_rule("late-barrier")
    assert (code, said) == (2, f"error: {file}: is there already; nothing was written\n")
    assert [each for each in root.rglob("*") if each.is_file()] == [file]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("BarrierInLoop", "such as `barrier-in-loop`"),
        ("barrier_in_loop", "such as `barrier-in-loop`"),
        ("2-barriers", "such as `barriers`"),
        ("?", "lower-case words joined by hyphens\n"),
        ("chief-only-collective", "there is a rule `chief-only-collective` already"),
    ],
)
def test_a_name_that_cannot_be_used(new_rule, root, name, message):
    code, said = new_rule(name)
    assert code == 2
    assert message in said
    assert not root.exists()


def test_a_project_without_a_package_of_rules_is_told_what_to_add(new_rule, root):
    root.mkdir()
    (root / "pyproject.toml").write_text('[project]\nname = "acme"\n')
    code, said = new_rule("late-barrier")
    assert code == 2
    assert '[project.entry-points."ddl_lint.rules"]' in said


def test_a_rule_of_ours_stands_where_ours_stand(new_rule, root):
    rule_folder = root / "rules" / "our_rules" / "training" / "first_rule"
    rule_folder.mkdir(parents=True)
    (rule_folder / "rule.yaml").write_text("code: DDL401\n")
    (root / "pyproject.toml").write_text('[project.entry-points."ddl_lint.rules"]\nbuiltin = "our_rules"\n')
    code, said = new_rule("late-barrier")
    assert code == 0
    last = max(rule.code for rule in load_rules() if rule.code.startswith("DDL4"))
    assert f"(DDL{int(last[3:]) + 1})" in said
    info = rule_info(read_rule_file(rule_folder.parent / "late_barrier" / "rule.yaml"))
    assert info.rulekit is None
    assert (root / "tests" / "rules" / "late_barrier" / "silent" / f"{info.silent_when[0].test}.py").is_file()
    assert not (root / "tests" / "test_late_barrier.py").exists()
