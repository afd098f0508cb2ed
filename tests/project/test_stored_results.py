"""What the rules said of runs is found on disk by another process, and is what a check without any store says."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import pytest

from ddl_lint.allowance import Allowance
from ddl_lint.analysis.interpreter.interpreter import Interpreter
from ddl_lint.check.configuration import Configuration
from ddl_lint.check.engine import check_project
from ddl_lint.check.report import Report
from ddl_lint.check.request import Request
from ddl_lint.check.worker_pool import WorkerPool
from ddl_lint.jobs.file_names import is_job_file
from ddl_lint.project.config import Settings
from ddl_lint.project.project_context import forget
from ddl_lint.registry.rules import load_rules
from ddl_lint.storage import Storage

pytestmark = pytest.mark.slow

RULES = load_rules()
SETTINGS = Settings(pedantic=True, preview=True)
RULE_FOLDERS = {rule.name: rule.folder for rule in RULES if rule.folder is not None and (rule.folder / "bad").is_dir()}
SCRIPT = """
import torch
import torch.distributed as dist
from helper import rank

if __name__ == "__main__":
    dist.init_process_group("nccl")
    if rank() == 0:
        dist.barrier()
    torch.save({}, "state.pt")
"""
HELPER = """
import torch.distributed as dist


def rank():
    return dist.get_rank()
"""


def told(report: Report) -> list[object]:
    findings = [(f.location, f.code, f.message, f.evidence, f.unfixable, repr(f.fix), f.help) for f in report.findings]
    return [*sorted(findings), sorted(map(repr, report.programs))]


class Project:
    """A project in a folder, checked with a store by one process after the other."""

    def __init__(self, root: Path, files: Path | dict[str, str]) -> None:
        if isinstance(files, Path):
            shutil.copytree(files, root, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            root.mkdir()
            for name, text in files.items():
                (root / name).write_text(text)
        (root / ".git").mkdir()
        self.root = root
        self.storage = Storage(root.parent / "cache")

    @property
    def files(self) -> list[Path]:
        return sorted(path for path in self.root.rglob("*") if path.suffix == ".py" or is_job_file(path.as_posix()))

    def check(self, settings: Settings = SETTINGS) -> Report:
        forget()
        found = check_project(self.files, lambda _: settings, RULES, storage=self.storage)
        assert told(found) == told(check_project(self.files, lambda _: settings, RULES))
        return found


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project", {"train.py": SCRIPT, "helper.py": HELPER})


@pytest.fixture
def followed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The scripts and functions that are followed, by the names of their modules."""
    names: list[str] = []
    for method in ("run_script", "run_function", "run_class", "run_entry"):
        really = getattr(Interpreter, method)

        def run(self, module, *rest, really=really):
            names.append(module.name)
            return really(self, module, *rest)

        monkeypatch.setattr(Interpreter, method, run)
    return names


def with_store(project: Project, followed: list[str]) -> list[str]:
    """What a check with the store follows; its outcome is that of a check without."""
    forget()
    followed.clear()
    found = check_project(project.files, lambda _: SETTINGS, RULES, storage=project.storage)
    names = list(followed)
    assert told(found) == told(check_project(project.files, lambda _: SETTINGS, RULES))
    return names


@pytest.mark.parametrize("edits", [3, pytest.param(20, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("rule", sorted(RULE_FOLDERS))
def test_after_any_edit_it_is_what_a_check_without_a_store_finds(rule, edits, tmp_path):
    project = Project(tmp_path / "project", RULE_FOLDERS[rule] / "bad")
    assert project.check().findings
    dice = random.Random(rule)
    for _ in range(edits):
        file = dice.choice(project.files)
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        if not lines:
            continue
        place = dice.randrange(len(lines))
        line = lines[place]
        edit = dice.choice(["comment"] * 3 + ["blank"] * 2 + ["behind", "drop", "repeat", "space", "number"])
        changed = {
            "comment": ["# \u00e9t\u00e9\n", line],
            "blank": ["\n", "\n", line],
            "behind": [line.rstrip("\n") + "  # why\n"],
            "drop": [],
            "repeat": [line, line],
            "space": [line.replace(", ", ",   ").replace("(", "( ")],
            "number": [line.replace("0", "1")],
        }
        file.write_text("".join([*lines[:place], *changed[edit], *lines[place + 1 :]]), encoding="utf-8")
        project.check()


def test_nothing_is_followed_again_in_another_process(project, followed):
    assert with_store(project, followed)
    assert with_store(project, followed) == []


@pytest.mark.parametrize(
    "text", ["# first\n" + HELPER, HELPER + "# last\n", HELPER.replace("return", "# x\n    return")]
)
def test_after_a_comment_nothing_is_followed_again(project, followed, text):
    with_store(project, followed)
    (project.root / "helper.py").write_text(text)
    assert with_store(project, followed) == []
    (project.root / "helper.py").write_text("\n\n" + text)  # what has moved once may move again
    assert with_store(project, followed) == []


def test_after_a_comment_above_a_finding_it_is_found_where_it_stands_now(project):
    before = {(f.code, f.location.start) for f in project.check().findings if f.location.path.endswith("train.py")}
    (project.root / "train.py").write_text("# a comment\n" + SCRIPT)
    after = {(f.code, f.location.start) for f in project.check().findings if f.location.path.endswith("train.py")}
    assert before
    assert after == {(code, start + len("# a comment\n")) for code, start in before}


def test_only_what_a_change_concerns_is_followed_again(project, followed):
    (project.root / "other.py").write_text("import torch\n\nif __name__ == '__main__':\n    torch.save(1, 'x')\n")
    with_store(project, followed)
    (project.root / "other.py").write_text("import torch\n\nif __name__ == '__main__':\n    torch.save(2, 'x')\n")
    assert set(with_store(project, followed)) == {"other"}
    (project.root / "helper.py").write_text(HELPER.replace("get_rank()", "get_rank() + 1"))
    assert "other" not in with_store(project, followed)


def test_other_settings_and_other_files_have_other_units(project, followed):
    with_store(project, followed)
    project.check(Settings())
    project.check(Settings(target={"torch": "1.8"}))
    assert with_store(project, followed) == []  # those of the first are still there
    (project.root / "torch").mkdir()
    (project.root / "torch" / "__init__.py").write_text("")
    assert "train" in with_store(project, followed)


def test_damaged_units_are_made_anew(project, followed):
    with_store(project, followed)
    for number, entry in enumerate(sorted((project.storage.folder / "units").iterdir())):
        content = entry.read_bytes()
        entry.write_bytes(content[: len(content) // 2] if number % 2 else content[:16] + b"\0" + content[17:])
    assert "train" in with_store(project, followed)
    assert with_store(project, followed) == []


def test_a_document_that_the_program_reads_is_a_part_of_it(tmp_path, followed):
    script = """
import json
import torch.distributed as dist

if __name__ == "__main__":
    settings = json.load(open("settings.json"))
    dist.init_process_group("nccl")
    if settings["some"] and dist.get_rank() == 0:
        dist.barrier()
"""
    project = Project(tmp_path / "project", {"train.py": script, "settings.json": '{"some": true}'})
    with_store(project, followed)
    assert with_store(project, followed) == []
    (project.root / "settings.json").write_text('{"some": false}')
    assert "train" in with_store(project, followed)


class One(WorkerPool):
    """One other process, which is given all before this one looks."""

    def _look_for_help(self):
        super()._look_for_help()
        with self._changed:
            self._wait(lambda: not (self._waiting or self._at_work) or not self._threads[0].is_alive())


LIBRARY = """
import torch.distributed as dist


def sync(model):
    if dist.get_rank() == 0:
        dist.barrier()


def {name}(model):
    sync(model)
    dist.all_reduce(model.loss)
    {other}.sync(model)
"""
"""Two modules that no script reaches: what is followed of the second one depends on what the first one enters of it."""


def around(tmp_path: Path) -> Project:
    project = Project(tmp_path / "project", {"helper.py": HELPER, "train.py": SCRIPT})
    for name, other in (("one", "two"), ("two", "one")):
        (project.root / f"{name}.py").write_text(f"import {other}\n" + LIBRARY.format(name=name, other=other))
    names = [rule for rule in sorted(RULE_FOLDERS) if "rank" in rule][:6]
    for name in names:
        shutil.copytree(RULE_FOLDERS[name] / "bad", project.root / name.replace("-", "_"))
    return project


def test_another_process_follows_ahead_and_the_outcome_is_the_same(tmp_path, monkeypatch):
    followed: list[tuple[str, str]] = []
    script, library = Interpreter.run_script, Interpreter.run_function
    monkeypatch.setattr(
        Interpreter,
        "run_script",
        lambda self, module: followed.append(("script", module.name)) or script(self, module),
    )
    monkeypatch.setattr(
        Interpreter,
        "run_function",
        lambda self, module, function: followed.append(("library", module.name)) or library(self, module, function),
    )
    project = around(tmp_path)
    request = Request(project.files, Configuration(fixed=SETTINGS))
    pool = One(request, project.storage.folder, 2, patience=0.0)
    found = check_project(project.files, lambda _: SETTINGS, RULES, storage=project.storage, others=pool)
    assert ("script", "train") in pool.given
    assert {("library", "one"), ("library", "two")} <= {*pool.given}
    assert {place for place in followed if place[0] == "script"} == set()  # the other process has put them there
    assert {place for place in followed if place[0] == "library"} == {("library", "two")}  # `one` enters some of it
    assert told(found) == told(check_project(project.files, lambda _: SETTINGS, RULES))
    assert not any(helper.is_alive() for helper in pool.helpers)


def test_processes_that_help_give_each_script_once(tmp_path):
    names = [f"module_{number}" for number in range(20)]
    pool = WorkerPool(Request([]), tmp_path, 4, patience=0.0)
    assert sorted(pool.share(names, Allowance())) == sorted(names)
    assert [*pool.ahead(names, lambda name: None, Allowance())] == [(name, None) for name in names]
    assert not any(helper.is_alive() for helper in pool.helpers)


def test_a_process_that_dies_costs_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("ddl_lint.check.worker_pool._serve", os._exit)
    project = around(tmp_path)
    pool = One(Request(project.files, Configuration(fixed=SETTINGS)), project.storage.folder, 2, patience=0.0)
    found = check_project(project.files, lambda _: SETTINGS, RULES, storage=project.storage, others=pool)
    assert told(found) == told(check_project(project.files, lambda _: SETTINGS, RULES))


@pytest.mark.parametrize("patience", [0.0, 4.0])
def test_a_check_that_is_given_up_leaves_no_process(tmp_path, patience):
    pool = WorkerPool(Request([]), tmp_path, 2, patience=patience)
    shared = pool.share(["one", "two"], Allowance())
    next(shared)
    shared.close()
    pool.close()
    assert not any(helper.is_alive() for helper in pool.helpers)


def test_what_an_editor_has_just_opened_is_what_lies_on_the_disk(project, followed):
    with_store(project, followed)
    followed.clear()
    opened = {path.as_posix(): path.read_text() for path in project.files}
    found = check_project(project.files, lambda _: SETTINGS, RULES, overlay=opened, storage=project.storage)
    assert followed == []
    assert told(found) == told(check_project(project.files, lambda _: SETTINGS, RULES))


def test_what_was_left_for_lack_of_time_is_not_kept(project, followed):
    long = SCRIPT.replace("torch.save", "pass\n" + "    x = 1\n" * 300 + "    torch.save")
    (project.root / "train.py").write_text(long)
    hasty = Settings(pedantic=True, preview=True, max_seconds=1e-6)
    report = check_project(project.files, lambda _: hasty, RULES, storage=project.storage)
    assert "DDL006" in {finding.code for finding in report.findings}
    assert report.inputs is None
    followed.clear()
    check_project(project.files, lambda _: hasty, RULES, storage=project.storage)
    assert "train" in followed


def test_settings_in_a_folder_of_tools_do_not_keep_a_file_from_what_was_found(
    project: Project, followed: list[str]
) -> None:
    """A check of all finds a file in a hidden folder that one of a single file does not look for."""
    (project.root / ".devcontainer").mkdir()
    (project.root / ".devcontainer" / "devcontainer.json").write_text('{"remoteEnv": {"draw": "1"}}')
    (project.root / "README.md").write_text("Start it with `torchrun --nproc_per_node 4 train.py`.\n")
    assert any(".devcontainer" in path.parts for path in project.files)
    project.check()
    followed.clear()
    forget()
    check_project([project.root / "train.py"], lambda _: SETTINGS, RULES, storage=project.storage)
    assert followed == []
