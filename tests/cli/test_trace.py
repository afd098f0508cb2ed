"""`ddl-lint trace`: from the command line to the picture."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from ddl_lint.commands import main as cli
from ddl_lint.commands import parser
from ddl_lint.output.trace import FORMATS
from ddl_lint.project import config

SCRIPT = """\
import torch.distributed as dist

def mean(x):
    dist.all_reduce(x)

def main(x):
    dist.init_process_group("gloo")
    if dist.get_rank() == 0:
        mean(x)
    dist.barrier()

main(*range(3))
"""


class Result(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "DDL_LINT_DEBUG", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    config.forget()
    (tmp_path / "train.py").write_text(SCRIPT, encoding="utf-8")

    def call(*arguments: str) -> Result:
        try:
            code = cli.main(["trace", *arguments])
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
        return Result(code, *capsys.readouterr())

    return call


def test_text(run):
    assert run("train.py") == (
        0,
        "train.py\n"
        "what all ranks must do together, in a job of 2 processes\n"
        "\n"
        "                            rank 0         the other ranks\n"
        "main()  train.py:12\n"
        "  init_process_group        train.py:7 --- train.py:7\n"
        "  all_reduce in mean()      train.py:4     x\n"
        "    ! Hang: only rank 0 calls `all_reduce`; the other ranks wait in `barrier` (line 10)\n"
        "  barrier                   train.py:10 -- train.py:10\n"
        "\n"
        "In 1 place the ranks do not meet.\n",
        "",
    )


def test_the_formats_of_the_command_are_those_of_the_output():
    assert parser.TRACE_FORMATS == FORMATS


def test_colour_only_where_it_is_wanted(run, monkeypatch):
    assert "\x1b" not in run("train.py").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1;31m" in run("train.py").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("train.py").out


def test_the_width_of_the_terminal(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    assert max(map(len, run("train.py").out.splitlines())) <= 60


def test_one_function(run):
    result = run("train.py::mean")
    assert result.code == 0
    assert result.out.startswith("train.py::mean\n")
    assert "barrier" not in result.out.splitlines()[4]


def test_to_a_file(run, tmp_path):
    assert run("train.py", "--format", "svg", "--output-file", "trace.svg") == (0, "", "")
    ElementTree.fromstring((tmp_path / "trace.svg").read_text(encoding="utf-8"))


def test_json(run):
    (trace,) = json.loads(run("train.py", "--format", "json").out)["traces"]
    assert [step["meets"] for step in trace["steps"]] == [True, False, True]


def test_a_line(run):
    result = run("train.py:9")
    assert result.code == 0
    assert result.out.splitlines() == [
        "train.py:9, run as train.py:",
        "  rank 0 executes it",
        "  the other ranks do not execute it: `dist.get_rank() == 0` (train.py:8) is False",
    ]


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("missing.py", "missing.py: there is no such file"),
        (".", "is a folder; name one script"),
        ("notes.txt", "is no Python file or notebook"),
        ("train.py::maen", "there is no function `maen` (did you mean `mean`?)"),
        ("train.py:2", "there is no code on this line"),
        ("helpers.py", "is no script"),
    ],
)
def test_misuse(run, tmp_path, target, message):
    (tmp_path / "notes.txt").write_text("", encoding="utf-8")
    (tmp_path / "helpers.py").write_text("def f():\n    pass\n", encoding="utf-8")
    result = run(target)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert "Traceback" not in result.err


def test_a_file_that_cannot_be_read(run, tmp_path):
    (tmp_path / "broken.py").write_bytes(b"\xff\xfe\x00\x01\x02")
    result = run("broken.py")
    assert result.code == 2
    assert "broken.py" in result.err


def test_a_script_with_a_syntax_error_is_shown_as_far_as_it_goes(run, tmp_path):
    (tmp_path / "torn.py").write_text(SCRIPT + "x = (\n", encoding="utf-8")
    result = run("torn.py")
    assert result.code == 0
    assert "warning: " in result.err
    assert "barrier" in result.out
