"""What the documentation tells people to write is what the tests load."""

from __future__ import annotations

from pathlib import Path

import pytest

from faulty_project import ROOT

CONFIGURATIONS = sorted(path for path in (ROOT / "editors").rglob("*") if path.is_file())


@pytest.mark.parametrize("path", CONFIGURATIONS, ids=lambda path: path.relative_to(ROOT / "editors").as_posix())
def test_each_configuration_stands_in_the_documentation(path: Path) -> None:
    languages = {".lua": "lua", ".el": "elisp", ".toml": "toml"}
    block = f"```{languages[path.suffix]}\n{path.read_text(encoding='utf-8')}```\n"
    assert block in (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")


def test_there_are_configurations() -> None:
    assert len(CONFIGURATIONS) >= 5
