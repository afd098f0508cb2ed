"""Launch lines that pages for people show are judged where they are whole, and never changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddl_lint.check.engine import check_project
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Severity
from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import load_rules

_SCRIPT = 'import torch.distributed as dist\n\ndist.init_process_group("gloo")\ndist.barrier()\n'


def _findings(tmp_path: Path, page: str) -> list[Diagnostic]:
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(_SCRIPT)
    (tmp_path / "README.md").write_text(page)
    report = check_project([tmp_path / "train.py"], lambda _: Settings(), load_rules())
    return [each for each in report.findings if each.location.path.endswith("README.md")]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("$ torchrun --nproc_per_nodes 4 train.py", "launcher-option-unknown"),
        ("torchrun train.py --nproc_per_node 4", "launcher-option-after-script"),
    ],
)
def test_a_line_of_a_page_is_judged_where_it_is(tmp_path: Path, line: str, rule: str) -> None:
    page = f"Train:\n\n```bash\npip install torch\n{line}\n```\n"
    (found,) = _findings(tmp_path, page)
    assert (found.name, found.severity, found.fix) == (rule, Severity.WARNING, None)
    assert page[found.location.start : found.location.end].startswith("--nproc_per_node")


@pytest.mark.parametrize(
    "page",
    [
        "Or run `torchrun train.py --nproc_per_node 4`.\n",
        "```\ntorchrun --nproc_per_node=<N> train.py\n```\n",
        "```\ntorchrun --nproc_per_node=4 train.py\n```\n",
        "```\ntorchrun elsewhere.py --nproc_per_node 4\n```\n",
    ],
)
def test_what_is_no_whole_line_for_this_project_is_not_judged(tmp_path: Path, page: str) -> None:
    assert _findings(tmp_path, page) == []
