"""A session gives the answers of a fresh check, whatever has changed in between, and does less."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from ddl_lint.analysis.interpreter.interpreter import Interpreter
from ddl_lint.check.configuration import Configuration
from ddl_lint.check.engine import check_project
from ddl_lint.check.report import Report
from ddl_lint.check.request import Request
from ddl_lint.check.session import Session
from ddl_lint.lowering import lower
from ddl_lint.project.config import Settings
from ddl_lint.project.project_context import forget
from ddl_lint.registry.rules import load_rules
from ddl_lint.source import Document
from ddl_lint.storage import Storage

pytestmark = pytest.mark.slow

RULES = load_rules()
SETTINGS = Settings(pedantic=True, preview=True)
CONFIGURATION = Configuration(fixed=SETTINGS)
RULE_FOLDERS = {rule.name: rule.folder for rule in RULES if rule.folder is not None}
SEVERAL_FILES = sorted(name for name, folder in RULE_FOLDERS.items() if len(list((folder / "bad").glob("*.py"))) > 1)


def told(report: Report) -> list[object]:
    return sorted((f.location, f.code, f.message, f.evidence, f.unfixable, repr(f.fix)) for f in report.findings)


class Project:
    """A project in a folder, with a session that is held against fresh checks."""

    def __init__(self, root: Path, rule: str) -> None:
        shutil.copytree(RULE_FOLDERS[rule] / "bad", root, ignore=shutil.ignore_patterns("__pycache__"))
        self.root = root
        self.session = Session(RULES)

    @property
    def files(self) -> list[Path]:
        return sorted(self.root.rglob("*.py"))

    def check(self, overlay: dict[str, str] | None = None) -> Report:
        found = self.session.check(Request(self.files, CONFIGURATION, overlay=overlay))
        fresh = check_project(self.files, lambda _: SETTINGS, RULES, overlay=overlay)
        assert told(found) == told(fresh)
        return found


@pytest.mark.parametrize("edits", [4, pytest.param(12, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("rule", SEVERAL_FILES)
def test_after_any_edit_the_answer_is_that_of_a_fresh_check(rule, edits, tmp_path):
    project = Project(tmp_path / "project", rule)
    assert project.check().findings
    dice = random.Random(rule)
    texts = {file.as_posix(): file.read_text(encoding="utf-8") for file in project.files}
    overlay: dict[str, str] = {}
    for _ in range(edits):
        path = dice.choice(sorted(texts))
        lines = texts[path].splitlines(keepends=True)
        place = dice.randrange(len(lines))
        edit = dice.choice(("drop", "repeat", "break", "comment", "undo"))
        if edit == "undo":
            overlay.pop(path, None)
        else:
            changed = {
                "drop": [],
                "repeat": [lines[place]] * 2,
                "break": ["def (\n"],
                "comment": ["# x\n", lines[place]],
            }
            overlay[path] = "".join([*lines[:place], *changed[edit], *lines[place + 1 :]])
        project.check(overlay)


@pytest.mark.parametrize("edits", [3, pytest.param(6, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("rule", SEVERAL_FILES)
def test_one_file_of_a_program_whose_other_files_change(rule, edits, tmp_path):
    project = Project(tmp_path / "project", rule)
    (project.root / ".git").mkdir()
    dice = random.Random(rule)
    texts = {file.as_posix(): file.read_text(encoding="utf-8") for file in project.files}
    given = [dice.choice(project.files)]
    overlay: dict[str, str] = {}
    for _ in range(edits):
        path = dice.choice(sorted(texts))
        lines = texts[path].splitlines(keepends=True)
        place = dice.randrange(len(lines))
        overlay[path] = "".join([*lines[:place], *dice.choice(([], ["# x\n", lines[place]])), *lines[place + 1 :]])
        found = project.session.check(Request(given, CONFIGURATION, overlay=overlay))
        assert told(found) == told(check_project(given, lambda _: SETTINGS, RULES, overlay=overlay))


def test_several_projects_in_one_session(tmp_path):
    first, second = Project(tmp_path / "one", SEVERAL_FILES[0]), Project(tmp_path / "two", SEVERAL_FILES[1])
    for project in (first, second):
        (project.root / ".git").mkdir()
    session = Session(RULES)
    whole = session.check(Request([*first.files, *second.files], CONFIGURATION))
    each = [session.check(Request(project.files, CONFIGURATION)) for project in (first, second)]
    assert told(whole) == sorted([*told(each[0]), *told(each[1])])
    assert [report.files for report in each] == [len(first.files), len(second.files)]
    assert whole.files == len(first.files) + len(second.files)
    assert [finding.location.path for finding in whole.findings] == sorted(f.location.path for f in whole.findings)


def test_files_that_come_and_go(tmp_path):
    project = Project(tmp_path / "project", "collective-under-rank-guard")
    before = told(project.check())
    helper = project.root / "metrics.py"
    text = helper.read_text(encoding="utf-8")
    helper.unlink()
    forget()
    assert told(project.check()) != before
    helper.write_text(text, encoding="utf-8")
    forget()
    assert told(project.check()) == before


def test_a_file_that_changes_on_disk(tmp_path):
    project = Project(tmp_path / "project", "collective-under-rank-guard")
    assert project.check().findings
    script = project.root / "train_orchids.py"
    text = script.read_text(encoding="utf-8")
    script.write_text(text.replace("        if rank == 0:", "        if True:"), encoding="utf-8")
    assert not [f for f in project.check().findings if f.name == "collective-under-rank-guard"]


_CONFIGURED = """\
import argparse
import torch.distributed as dist
import yaml

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="settings.yaml")
    with open(parser.parse_args().config) as file:
        settings = yaml.safe_load(file)
    dist.init_process_group("gloo")
    if settings["guarded"]:
        if dist.get_rank() == 0:
            dist.barrier()
    dist.destroy_process_group()

if __name__ == "__main__":
    main()
"""


def test_a_key_that_changes_in_the_settings_of_a_program(tmp_path):
    program = tmp_path / "train.py"
    program.write_text(_CONFIGURED, encoding="utf-8")
    (tmp_path / "run.sh").write_text("torchrun --nproc_per_node 4 train.py --config settings.yaml\n", encoding="utf-8")
    session = Session(RULES)
    said: list[list[tuple[str, str | None]]] = []
    for text in ("guarded: true\n", "guarded: false\n", "# off\nguarded: false\n", "{{ guarded", "guarded: true\n"):
        (tmp_path / "settings.yaml").write_text(text, encoding="utf-8")
        found = session.check(Request([program], CONFIGURATION))
        assert told(found) == told(check_project([program], lambda _: SETTINGS, RULES))
        barriers = [each for each in found.findings if each.name == "collective-under-rank-guard"]
        said.append([(each.code, each.severity.value) for each in barriers])
    on, off, commented, unread, again = said
    assert len(on) == 1 and on == again
    assert off == commented != on
    assert unread


_FIELD = """\
from dataclasses import dataclass
import torch
import torch.distributed as dist

@dataclass
class Plan:
    draw: bool = False

plan = Plan()

def main():
    dist.init_process_group("gloo")
    if plan.draw:
        torch.save(torch.rand(3), "state.pt")
    dist.barrier()
    dist.destroy_process_group()

if __name__ == "__main__":
    main()
"""


def test_a_key_that_comes_into_settings_that_no_launch_names(tmp_path):
    program = tmp_path / "train.py"
    program.write_text(_FIELD, encoding="utf-8")
    (tmp_path / "run.sh").write_text("torchrun --nproc_per_node 4 train.py\n", encoding="utf-8")
    session = Session(RULES)
    said: list[list[str]] = []
    for text in ("other: 1\n", "draw: true\n", "other: 1\n"):
        (tmp_path / "plan.yaml").write_text(text, encoding="utf-8")
        found = session.check(Request([program], CONFIGURATION))
        assert told(found) == told(check_project([program], lambda _: SETTINGS, RULES))
        said.append([each.doubt for each in found.findings if each.name == "unguarded-filesystem-write"])
    assert said[0] == said[2] != said[1]


def test_a_file_that_cannot_be_read_for_a_moment(tmp_path):
    """It is gone between the listing of the project and the reading of the file, as where another program writes it."""
    project = Project(tmp_path / "project", "ddp-wrapped-state-dict")
    before = told(project.check())
    texts = {file: file.read_bytes() for file in project.files}
    request = Request(project.files, CONFIGURATION)
    for file, text in texts.items():
        file.unlink()
        project.session.check(request)
        file.write_bytes(text)
        assert told(project.check()) == before


def test_a_file_that_an_editor_opens_is_not_lowered_again(tmp_path, monkeypatch):
    project = Project(tmp_path / "project", "collective-under-rank-guard")
    storage = Storage(tmp_path / "cache")
    (project.root / "latin.py").write_bytes(
        '# coding: latin-1\nimport torch\n\nprint("\u00e9", torch)\n'.encode("latin-1")
    )
    Session(RULES, storage).check(Request(project.files, CONFIGURATION))
    lowered: list[str] = []

    def noted(document: Document, *arguments: Any, **more: Any) -> Any:
        lowered.append(Path(document.path).name)
        return lower(document, *arguments, **more)

    monkeypatch.setattr("ddl_lint.lowering.lower", noted)
    session = Session(RULES, storage)
    opened = {file.as_posix(): file.read_text("latin-1" if file.stem == "latin" else "utf-8") for file in project.files}
    found = session.check(Request(project.files, CONFIGURATION, overlay=opened))
    assert told(found) == told(check_project(project.files, lambda _: SETTINGS, RULES, overlay=opened))
    count = len(project.files)
    assert set(lowered[:-count]) == {"latin.py"}  # what the editor holds is not what bytes of that name stand for
    lowered.clear()
    script = (project.root / "train_orchids.py").as_posix()
    session.check(Request(project.files, CONFIGURATION, overlay={**opened, script: opened[script] + "print(1)\n"}))
    assert lowered == ["train_orchids.py"]


def test_nothing_is_followed_again_without_a_change(tmp_path, monkeypatch):
    project = Project(tmp_path / "project", "collective-under-rank-guard")
    (project.root / "other.py").write_text("import torch\n\nif __name__ == '__main__':\n    print(torch.ones(2))\n")
    session = Session(RULES)
    session.check(Request(project.files, CONFIGURATION))
    followed: list[str] = []
    monkeypatch.setattr(Interpreter, "run_script", _noting(followed, Interpreter.run_script))
    session.check(Request(project.files, CONFIGURATION))
    assert followed == []
    other = (project.root / "other.py").as_posix()
    session.check(Request(project.files, CONFIGURATION, overlay={other: "import torch\nprint(torch)\n"}))
    assert followed == ["other"]
    followed.clear()
    metrics = project.root / "metrics.py"
    overlay = {metrics.as_posix(): metrics.read_text() + "\n\ndef more():\n    pass\n"}
    session.check(Request(project.files, CONFIGURATION, overlay=overlay))
    assert "train_orchids" in followed


HELPER = """
import torch.distributed as dist


def used():
    return dist.get_rank() == 0


def unused(rank):
    print(rank)
    return 3
"""
USER = """
import torch.distributed as dist
from helper import used

if __name__ == "__main__":
    dist.init_process_group("nccl")
    if used():
        dist.barrier()
"""


def test_only_what_looks_into_a_function_is_followed_again(tmp_path, monkeypatch):
    helper, user = tmp_path / "helper.py", tmp_path / "user.py"
    helper.write_text(HELPER, encoding="utf-8")
    user.write_text(USER, encoding="utf-8")
    (tmp_path / ".git").mkdir()
    files = [helper, user]
    session = Session(RULES)
    before = session.check(Request(files, CONFIGURATION))
    assert "collective-under-rank-guard" in {finding.name for finding in before.findings}
    followed: list[str] = []
    monkeypatch.setattr(Interpreter, "run_script", _noting(followed, Interpreter.run_script))

    def check(*edits: tuple[str, str]) -> list[str]:
        text = HELPER
        for old, new in edits:
            assert old in text
            text = text.replace(old, new)
        followed.clear()
        overlay = {helper.as_posix(): text}
        found = session.check(Request(files, CONFIGURATION, overlay=overlay))
        seen = list(followed)
        assert told(found) == told(check_project(files, lambda _: SETTINGS, RULES, overlay=overlay))
        return seen

    assert check(("return 3", "return 4")) == []
    assert check(("return 3", "return 5"), ("print(rank)", "print(rank, 3)")) == []
    assert check(("def unused(rank):", "# more\n\n\ndef unused(rank):")) == []
    assert check(("get_rank() == 0", "get_rank() == 1")) == ["user"]
    assert check(("get_rank() == 0", "get_rank() == 1"), ("return 3", "return 4")) == []
    assert check(("def unused(rank):", "def unused(rank, more):")) == ["user"]
    assert check(("print(rank)", "dist.barrier()")) == ["user"]


def _noting(followed, run_script):
    def run(self, module):
        followed.append(module.name)
        return run_script(self, module)

    return run
