"""Findings in notebooks: lines are counted in their cell, in every word that names one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ddl_lint.commands import main as cli

START = "import torch.distributed as dist\nimport torch.multiprocessing as mp\n"
HANG = "def fit(index):\n    dist.init_process_group('gloo', rank=index, world_size=2)\n"
GUARD = "    if dist.get_rank() == 0:\n        evaluate()\n"
EVALUATE = "def evaluate():\n    dist.barrier()\n"
SPAWN = "mp.spawn(fit, nprocs=2)\n"


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def findings(tmp_path, monkeypatch, cache, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DDL_LINT_CACHE_DIR", str(cache))

    def find(*cells: str, options: tuple[str, ...] = ()) -> list[dict[str, object]]:
        made = [{"cell_type": "code", "metadata": {}, "source": cell.splitlines(keepends=True)} for cell in cells]
        content = {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        Path("tune.ipynb").write_text(json.dumps(content, indent=1), encoding="utf-8")
        cli.main(["check", "--select", "hang", "--output-format", "json", *options])
        return json.loads(capsys.readouterr().out)["diagnostics"]

    return find


def words(found: dict[str, object]) -> str:
    return f"{found['message']} {found['help']}"


def test_a_line_of_the_same_cell_is_a_line(findings):
    (found,) = findings(START, EVALUATE + HANG + GUARD, SPAWN)
    assert (found["cell"], found["range"]["start"]["line"]) == (2, 6)  # type: ignore[index]
    assert "`barrier` (line 2)" in words(found)
    assert "the condition (line 5)" in words(found)


def test_a_line_of_another_cell_is_named_with_it(findings):
    (found,) = findings(START, EVALUATE, HANG + GUARD, SPAWN)
    assert "`barrier` (cell 2:2)" in words(found)
    assert "the condition (line 3)" in words(found)


@pytest.mark.parametrize("options", [(), ("--no-cache",)])
def test_cells_that_are_joined_or_split_count_at_once(findings, options):
    split = findings(START, EVALUATE, HANG + GUARD, SPAWN, options=options)
    joined = findings(START, EVALUATE + HANG + GUARD, SPAWN, options=options)
    again = findings(START, EVALUATE, HANG + GUARD, SPAWN, options=options)
    assert "`barrier` (cell 2:2)" in words(split[0])
    assert "`barrier` (line 2)" in words(joined[0])
    assert again == split


def test_the_trace_names_lines_of_cells_too(findings, capsys):
    findings(START, EVALUATE, HANG + GUARD, SPAWN)
    cli.main(["trace", "tune.ipynb", "--output-format", "text"])
    shown = capsys.readouterr().out
    assert "cell 2:2" in shown
    assert "line 10" not in shown
