"""Classes and constants of installed packages, read from their source."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddl_lint.analysis.interpreter.project.installed import InstalledPackages
from ddl_lint.frameworks.index import ApiIndex

_FILES = {
    "fieldkit/__init__.py": "from .layers import Encoder\nfrom fieldkit.limits import WIDEST\n",
    "fieldkit/layers.py": "import torch.nn as nn\nfrom .plain import Mixin\n\n\nclass Block(nn.Module): ...\n\n\n"
    "class Encoder(Mixin, Block): ...\n",
    "fieldkit/plain.py": "raise SystemExit('nobody may run this')\n\n\nclass Mixin: ...\n\n\nclass Loop(Loop): ...\n",
    "fieldkit/limits.py": "WIDEST = 48\nMADE = list()\n",
    "fieldkit/broken.py": "class Half(\n",
}


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, api: ApiIndex) -> InstalledPackages:
    for name, text in _FILES.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return InstalledPackages(api)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("fieldkit.layers.Block", "torch.nn.Module"),
        ("fieldkit.layers.Encoder", "torch.nn.Module"),
        ("fieldkit.Encoder", "torch.nn.Module"),
        ("fieldkit.plain.Mixin", None),
        ("fieldkit.plain.Loop", None),
        ("fieldkit.broken.Half", None),
        ("fieldkit.missing.Layer", None),
        ("notinstalled.Layer", None),
        ("logging.Handler", None),
    ],
)
def test_the_nearest_modelled_base(packages: InstalledPackages, name: str, expected: str | None) -> None:
    assert packages.ancestor(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("fieldkit.limits.WIDEST", 48),
        ("fieldkit.WIDEST", 48),
        ("fieldkit.limits.MADE", None),
        ("notinstalled.WIDEST", None),
    ],
)
def test_literal_constants(packages: InstalledPackages, name: str, expected: object) -> None:
    assert packages.constant(name) == expected


def test_no_answer_after_the_budget(tmp_path: Path, packages: InstalledPackages, api: ApiIndex) -> None:
    assert packages.ancestor("fieldkit.layers.Block") is not None
    assert InstalledPackages(api, budget=0.0).ancestor("fieldkit.layers.Block") is None
