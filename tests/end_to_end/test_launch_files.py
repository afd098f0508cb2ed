"""Launch files on the command line: fixes, comments and stdin."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from ddl_lint.commands.main import main

LAUNCH = """#!/bin/bash
# größe
torchrun \\
    --nproc_per_nodes 4 \\
    train.py
"""
GOOD = LAUNCH.replace("per_nodes", "per_node")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a training script, as the working directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ddl-lint.toml").write_text("")
    (tmp_path / "train.py").write_text("import torch\n")
    return tmp_path


@pytest.mark.parametrize("change", ["", "\ufeff", "\r\n"], ids=["plain", "byte order mark", "line ends"])
def test_a_fix_keeps_all_else(project: Path, change: str):
    def written(text: str) -> bytes:
        return (text.replace("\n", change) if change == "\r\n" else change + text).encode()

    launch = project / "run.sh"
    launch.write_bytes(written(LAUNCH.replace("\\\n    ", "") if change == "\r\n" else LAUNCH))
    main(["check", "--fix", "--unsafe-fixes", "run.sh"])
    assert launch.read_bytes() == written(GOOD.replace("\\\n    ", "") if change == "\r\n" else GOOD)


def test_a_diff(project: Path, capsys: pytest.CaptureFixture[str]):
    (project / "run.sh").write_text(LAUNCH, encoding="utf-8")
    main(["check", "--diff", "--unsafe-fixes"])
    out = capsys.readouterr().out
    assert "-    --nproc_per_nodes 4 \\" in out and "+    --nproc_per_node 4 \\" in out
    assert (project / "run.sh").read_text(encoding="utf-8") == LAUNCH


def test_comments_are_put_in_where_there_are_any(project: Path, capsys: pytest.CaptureFixture[str]):
    configuration = '{"zero_optimization": {"stage": 7}}\n'
    (project / "run.sh").write_text(LAUNCH, encoding="utf-8")
    (project / "ds_config.json").write_text(configuration)
    assert main(["check", "--add-ignore", "--output-format", "json"]) == 1
    assert [each["file"] for each in json.loads(capsys.readouterr().out)["diagnostics"]] == ["ds_config.json"]
    comment = "# ddl-lint: ignore[launcher-option-unknown]\n"
    assert (project / "run.sh").read_text(encoding="utf-8") == LAUNCH.replace("torchrun", f"{comment}torchrun")
    assert (project / "ds_config.json").read_text() == configuration
    assert main(["check", "run.sh"]) == 0


@pytest.mark.parametrize("name", ["run.sh", "other/run.sh"])
def test_stdin(project: Path, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    (project / "run.sh").write_text(GOOD, encoding="utf-8")
    text = LAUNCH.replace("größe", "vim: set fileencoding=latin-1: größe")

    def check(*options: str) -> str:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))
        main(["check", "--stdin-filename", name, *options])
        return capsys.readouterr().out

    assert f"{name}:4:5: error DDL602" in check("--output-format", "concise")
    assert check("--fix", "--unsafe-fixes") == text.replace("per_nodes", "per_node")
    assert "# ddl-lint: ignore[" in check("--add-ignore")


def test_a_stored_report_shows_the_same(project: Path, capsys: pytest.CaptureFixture[str]):
    text = LAUNCH.replace("größe", "vim: set fileencoding=latin-1: größe")
    (project / "run.sh").write_text(text, encoding="utf-8")
    outs = [(main(["check", "--cache-dir", "cache", "run.sh"]), capsys.readouterr().out) for _ in range(2)]
    assert outs[0] == outs[1] and "DDL602" in outs[0][1]
