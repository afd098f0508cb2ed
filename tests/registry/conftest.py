"""Packages of rules made up in a temporary folder."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

ROOM = """
code: {code}
name: {name}
summary: Says {name}
frameworks: [pytorch]
stage: training
symptom: hang
fix_pattern: fix behavior logic
severity: warning
confidence: high
lifecycle: stable
since: "0.1.0"
covers: []
why: |
  Because it hangs.
fix:
  kind: code
  advice: Do it right.
  applicability: unsafe
  reason: it is a guess
silent_when:
  - when: nothing is wrong
    test: nothing_wrong
references: ["owner/repository#1"]
"""


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("DDL_LINT_CACHE_DIR", str(folder))
    return folder


@pytest.fixture
def package(tmp_path) -> Path:
    folder = tmp_path / "packs" / "made_up_rules"
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    return folder


@pytest.fixture
def add_rule_folder(package) -> Callable[..., Path]:
    """Write a room; `change` is a pair of texts to replace in its `rule.yaml`."""

    def add(code: str = "DDL401", name: str = "lost-rank", *change: str) -> Path:
        rule_folder = package / "training" / name.replace("-", "_")
        rule_folder.mkdir(parents=True)
        text = textwrap.dedent(ROOM).lstrip().format(code=code, name=name)
        if change:
            assert change[0] in text
            text = text.replace(*change)
        (rule_folder / "rule.yaml").write_text(text, encoding="utf-8")
        return rule_folder

    return add
