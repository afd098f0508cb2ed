"""The real command line, rules and API models on projects that are made up in a temporary folder."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from ddl_lint.commands import main as cli
from ddl_lint.project import config


class Result(NamedTuple):
    """What a command has left behind."""

    code: int
    out: str
    err: str

    @property
    def diagnostics(self) -> list[dict[str, Any]]:
        """The findings of a check with `--output-format json`."""
        return json.loads(self.out)["diagnostics"]

    @property
    def found(self) -> list[tuple[str, str]]:
        """File and code of each finding of a check with `--output-format json`."""
        return [(item["file"], item["code"]) for item in self.diagnostics]


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all tests: compiling rules and models anew for each would take long."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> Callable[[Mapping[str, str | bytes]], Path]:
    """Write files below a new working directory, and return it."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("DDL_LINT_CACHE_DIR", str(cache))
    for name in ("NO_COLOR", "FORCE_COLOR", "FORCE_HYPERLINK", "DDL_LINT_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    config.forget()

    def write(files: Mapping[str, str | bytes]) -> Path:
        for name, content in files.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content.encode() if isinstance(content, str) else content)
        return folder

    return write


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """Run a command line in this process."""

    def call(*arguments: str, stdin: bytes = b"") -> Result:
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(stdin)))
        try:
            code = cli.main(arguments)
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
        result = Result(code, *capsys.readouterr())
        assert "Traceback" not in result.out + result.err
        assert "itself failed" not in result.err
        return result

    return call


@pytest.fixture
def check(run: Callable[..., Result]) -> Callable[..., Result]:
    """Run `ddl-lint check --output-format json`."""

    def call(*arguments: str, stdin: bytes = b"") -> Result:
        return run("check", "--output-format", "json", *arguments, stdin=stdin)

    return call


@pytest.fixture
def notebook() -> Callable[..., str]:
    """Write the JSON of a notebook: a text is a code cell, a pair is type and text; changes replace whole keys."""

    def write(*cells: str | tuple[str, str], **changes: Any) -> str:
        parts = [("code", cell) if isinstance(cell, str) else cell for cell in cells]
        data: dict[str, Any] = {
            "nbformat": 4,
            "nbformat_minor": 5,
            "metadata": {"language_info": {"name": "python"}},
            "cells": [
                {"cell_type": kind, "id": f"cell-{index}", "metadata": {}, "source": text.splitlines(keepends=True)}
                for index, (kind, text) in enumerate(parts, 1)
            ],
        }
        return json.dumps({**data, **changes}, indent=1)

    return write
