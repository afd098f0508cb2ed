"""Inputs that showed a fault of ours once, as small as they could be made."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzz_inputs import faults_of_fixes, faults_of_script

SCRIPTS = {
    "an arm that does nothing": "import horovod.torch as hvd\nif rank:\n      pass\nelse:\n    hvd.init()\n",
}


@pytest.mark.parametrize("what", SCRIPTS)
def test_scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str):
    monkeypatch.setenv("DDL_LINT_CACHE_DIR", str(tmp_path / "cache"))
    assert faults_of_script(tmp_path, SCRIPTS[what]) == ""
    assert faults_of_fixes(tmp_path, SCRIPTS[what]) == ""
