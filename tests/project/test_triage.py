"""Which files of a project are followed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddl_lint.engine import check_project
from ddl_lint.project.config import Settings
from ddl_lint.rules import load_rules

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
