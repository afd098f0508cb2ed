"""What people read in a terminal is what the problem matcher of the extension takes into VS Code."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ddl_lint.commands.main import main

ROOT = Path(__file__).parents[2]
CODE = "import torch.distributed as dist\n\ndist.barrier()\n"


@pytest.mark.parametrize("form", ["concise", "text"])
def test_findings_are_read(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    manifest = json.loads((ROOT / "vscode-extension" / "package.json").read_text(encoding="utf-8"))
    (matcher,) = manifest["contributes"]["problemMatchers"]
    pattern = matcher["pattern"]
    Path("train.py").write_text(CODE, encoding="utf-8")
    main(["check", "--no-cache", "--output-format", form, "train.py"])
    lines = capsys.readouterr().out.splitlines()
    (found,) = filter(None, (re.match(pattern["regexp"], line) for line in lines))
    assert [found[pattern[part]] for part in ("file", "line", "column", "code")] == ["train.py", "3", "1", "DDL201"]
    assert found[pattern["severity"]] in ("error", "warning")
