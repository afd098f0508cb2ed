"""Which files of a project are followed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddl_lint.check.engine import check_project
from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import load_rules

_COMMON = "import torch\nimport torch.distributed as dist\n"
_GUARDED = """\
def announce():
    if dist.get_rank() == 0:
        dist.barrier()
"""


@pytest.mark.parametrize("line", ["from common import *", "from .common import *", "from common import torch, dist"])
def test_a_module_that_is_handed_the_framework_by_another(tmp_path: Path, line: str) -> None:
    (tmp_path / "common.py").write_text(_COMMON, encoding="utf-8")
    (tmp_path / "helper.py").write_text(f"{line}\n\n{_GUARDED}", encoding="utf-8")
    files = sorted(tmp_path.glob("*.py"))
    report = check_project(files, lambda _: Settings(), load_rules())
    assert [finding.name for finding in report.findings] == ["collective-under-rank-guard"]


def test_the_giver_need_not_be_checked_itself(tmp_path: Path) -> None:
    (tmp_path / "setup.cfg").touch()
    (tmp_path / "common.py").write_text(_COMMON, encoding="utf-8")
    (tmp_path / "shared.py").write_text("from common import *\n", encoding="utf-8")
    helper = tmp_path / "helper.py"
    helper.write_text(f"from shared import *\n\n{_GUARDED}", encoding="utf-8")
    report = check_project([helper], lambda _: Settings(), load_rules())
    assert [finding.name for finding in report.findings] == ["collective-under-rank-guard"]


def test_who_is_handed_something_else_is_not_read_closely(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_text("from .b import *\n", encoding="utf-8")
    (tmp_path / "b.py").write_text("from .a import *\nfrom . import c\n", encoding="utf-8")
    (tmp_path / "c.py").write_text("from os import *\n", encoding="utf-8")

    def lower(*args: object, **kwargs: object) -> None:
        raise AssertionError((args, kwargs))

    monkeypatch.setattr("ddl_lint.lowering.lower", lower)
    assert not check_project(sorted(tmp_path.glob("*.py")), lambda _: Settings(), load_rules()).findings
