"""The traces of a project: all of them are made of one reading of it, and each is the trace of its script alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from ddl_lint.check import traced_program
from ddl_lint.check.engine import check_project
from ddl_lint.check.project_traces import ProjectTraces, project_traces
from ddl_lint.check.rank_questions import trace
from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import Rule, load_rules

_TRAIN = """\
import torch.distributed as dist
import steps

dist.init_process_group("gloo")
steps.reduce(*range(3))
dist.barrier()
"""
_STEPS = """\
import torch.distributed as dist

def reduce(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)

def unused(x):
    if dist.get_rank() == 0:
        dist.broadcast(x, 0)
"""
_BROKEN = "import torch.distributed as dist\ndist.init_process_group(\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    files = {"train.py": _TRAIN, "again.py": _TRAIN, "steps.py": _STEPS, "broken.py": _BROKEN}
    files["pyproject.toml"] = '[project]\nname = "steps"\n'  # others may call what nothing here does
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "data.sh").write_text("export NCCL_DEBUG=INFO\n", encoding="utf-8")  # it starts none of them
    return tmp_path


def _traces(project: Path, rules: Sequence[Rule]) -> ProjectTraces:
    paths = sorted(path for path in project.iterdir() if path.suffix in (".py", ".sh"))
    report = check_project(paths, lambda path: Settings(), rules)
    return project_traces(report.programs, report.findings, report.documents, lambda path: Settings(), rules)


def test_the_project_is_read_once(project: Path, monkeypatch: pytest.MonkeyPatch):
    really, roots = traced_program.project_jobs, list[Path]()

    def noted(root: Path, *others: object):
        roots.append(root)
        return really(root, *others)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(traced_program, "project_jobs", noted)
    found = _traces(project, load_rules())
    names = [(Path(each.path).name, each.function) for each in found.traces]
    assert names == [("again.py", ""), ("train.py", ""), ("steps.py", "unused")]
    assert roots == [project]


def test_each_is_the_trace_of_its_script_alone(project: Path):
    rules = load_rules()
    for each in _traces(project, rules).traces:
        assert trace(Path(each.path), Settings(), each.function, rules=rules).communication == each


def test_a_file_that_cannot_be_read_is_named_by_its_own_fault(project: Path):
    opened = traced_program.open_projects([project / "train.py", project / "gone.py"], {})
    assert opened[project / "train.py"] is opened[project / "gone.py"]
    opened[project / "train.py"].codebase.module("broken")
    with pytest.raises(traced_program.TraceError, match=r"gone\.py.* (?:no such file|does not exist|cannot)"):
        opened[project / "gone.py"].program(project / "gone.py", Settings())
