"""Which versions of packages pages for people name."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddl_lint.jobs.documented import documented
from ddl_lint.jobs.pinning import pinning_files
from ddl_lint.jobs.pins import read_versions


def bounds(text: str, package: str = "torch") -> tuple[str | None, ...] | None:
    known = dict(documented(text)).get(package)
    return None if known is None else tuple(None if each is None else str(each) for each in (known.low, known.high))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```bash\npip install torch==1.9.1+cu111 torchvision==0.10.1+cu111\n```\n", ("1.9.1", "1.9.2")),
        ("```\nconda install pytorch=1.11 cudatoolkit=11.3 -c pytorch\n```\n", ("1.11", "1.12")),
        ("Needs PyTorch 1.11 and CUDA 11.3.", ("1.11", "1.12")),
        ("- **PyTorch** (v1.7.1)", ("1.7.1", "1.7.2")),
        ("- [PyTorch](https://pytorch.org/get/1.3/) version 1.8", ("1.8", "1.9")),
        ("| Pytorch | 1.12 |", ("1.12", "1.13")),
        ("`torch==1.12` is recommended, `torch>=1.10` is needed", ("1.12", "1.13")),
        ("PyTorch 1.6, 1.7 or 1.8.1", ("1.6", "1.8.2")),
        ("PyTorch 1.3 - 1.7", ("1.3", "1.8")),
        ("Works with PyTorch 1.9 and PyTorch 2.1", ("1.9", "2.2")),
        ("PyTorch >= 1.8", ("1.8", None)),
        (r"PyTorch \>= 1.8", ("1.8", None)),
        ("PyTorch &gt;=1.8,&lt;2.0", ("1.8", "2.0")),
        ("PyTorch 1.8+", ("1.8", None)),
        ("PyTorch 1.8 or later", ("1.8", None)),
        ("PyTorch 1.8 (or higher)", ("1.8", None)),
        ("at least PyTorch 1.8", ("1.8", None)),
        ("* pytorch 1.12\u53ca\u4ee5\u4e0a", ("1.12", None)),
        ("PyTorch <= 1.10", (None, "1.11")),
        ("torch != 1.8", None),
        ("introduced in PyTorch 1.8", None),
        ("newer than torch 1.8, not before torch 1.7", ("1.8", None)),
        ("PyTorch Lightning 1.5, torch.compile 2.0, torchvision 0.9", None),
        ("PyTorch 85.2% | torch 1.2.3.4", None),
        ("https://example.org/torch/1.9.0", None),
        ("no version of PyTorch is named, but Python 3.8", None),
    ],
)
def test_named_versions(text: str, expected: tuple[str | None, ...] | None) -> None:
    assert bounds(text) == expected


def test_builds_of_a_library(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(
        "- The intended Tensorflow GPU (2.0.0) is installed by pip.\n", encoding="utf-8"
    )
    known = read_versions(pinning_files(tmp_path), {})
    assert known.documented_before("tensorflow", "2.4")
    assert not known.documented_before("tensorflow", "2.0")
    assert not known.is_known("tensorflow")


def test_the_nearest_page_is_believed(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "install.md").write_text("PyTorch 1.9.1", encoding="utf-8")
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "README.md").write_text("PyTorch 2.3", encoding="utf-8")
    above, part = pinning_files(tmp_path), pinning_files(tmp_path / "part")
    assert read_versions(above, {}).documented_before("torch", "2.0") == "`install.md` names torch 1.9.1"
    assert not read_versions([*part, *above], {}).documented_before("torch", "2.0")


def test_what_is_pinned_is_stronger(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("PyTorch 1.9.1", encoding="utf-8")
    (tmp_path / "requirements.txt").write_text("torch>=2.0\n", encoding="utf-8")
    assert not read_versions(pinning_files(tmp_path), {}).documented_before("torch", "2.0")


@pytest.mark.parametrize(("pin", "is_told"), [("timm==0.3.2", True), ("mmcv-full<=1.4.0", True), ("timm==0.9", False)])
def test_what_breaks_with_later_releases_of_another(tmp_path: Path, pin: str, is_told: bool) -> None:
    (tmp_path / "requirements.txt").write_text(f"{pin}\n", encoding="utf-8")
    known = read_versions(pinning_files(tmp_path), {})
    assert bool(known.documented_before("torch", "2.0")) == is_told
    assert not known.surely_before("torch", "2.0")


@pytest.mark.parametrize(
    ("page", "pin", "wanted"),
    [
        ("[PyTorch](https://pytorch.org/) >= 1.8", "", "`README.md` names torch >=1.8"),
        ("PyTorch >= 1.12", "", ""),
        ("PyTorch >= 1.8", "torch==2.1", ""),
    ],
)
def test_from_which_release_on(tmp_path: Path, page: str, pin: str, wanted: str) -> None:
    (tmp_path / "README.md").write_text(page, encoding="utf-8")
    (tmp_path / "requirements.txt").write_text(pin, encoding="utf-8")
    assert read_versions(pinning_files(tmp_path), {}).documented_from("torch", "1.11") == wanted
