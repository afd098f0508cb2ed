"""`ddl-lint trace`: from the command line to the picture."""

from __future__ import annotations

import json
import re
import sys
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


HIDDEN = """\
from dataclasses import dataclass

import torch
import torch.distributed as dist
from cluster.loop import GatherConfig, pretrain

@dataclass
class AllReduceConfig:
    bucket: int = 1

    def run(self, x):
        dist.all_reduce(x)

def forward_step(batch, model):
    return model(batch)

def main():
    dist.init_process_group("nccl")
    config = GatherConfig(AllReduceConfig(2))
    if config.debug:
        print("debug")
    for _ in range(2):
        print("warm up")
    pretrain(forward_step, config, AllReduceConfig)

main()
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
        '  init_process_group        train.py:7 --- train.py:7         dist.init_process_group("gloo")\n'
        "  all_reduce in mean()      train.py:4     x                  dist.all_reduce(x)\n"
        "    ! Hang: only rank 0 calls `all_reduce` (line 4); the other ranks wait in `barrier` (line 10)\n"
        "      Gloo prints after 30 minutes: Timed out waiting 1800000ms for recv operation to complete\n"
        "  barrier                   train.py:10 -- train.py:10        dist.barrier()\n"
        "\n"
        "Hang: the ranks do not meet in 1 place\n",
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


def test_a_line_opens_the_trace_there(run):
    result = run("train.py:9")
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[:4] == [
        "train.py:9, run as train.py:",
        "  rank 0 executes it",
        "  the other ranks do not execute it: `dist.get_rank() == 0` (train.py:8) is False",
        "",
    ]
    assert "all_reduce in mean() <=" in result.out  # the place of the finding
    assert "all_reduce in mean() <=" in run("train.py:8").out  # where the ranks part
    assert run("train.py:6").out.endswith(run("train.py").out)  # no collective stands on that line
    assert "barrier <=" in run("train.py:10").out


def test_a_line_in_other_formats(run):
    (trace,) = json.loads(run("train.py:10", "--format", "json").out)["traces"]
    assert trace["focus"]["line"] == 10
    assert "all ranks execute it" in trace["focus"]["text"]
    assert "data-focus" in run("train.py:10", "--format", "html").out


def test_a_line_of_a_module_is_traced_in_the_script_that_imports_it(run, tmp_path):
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    (tmp_path / "helpers.py").write_text(
        "import torch.distributed as dist\n\ndef wait():\n    if dist.get_rank() == 0:\n        dist.barrier()\n",
        encoding="utf-8",
    )
    (tmp_path / "run.py").write_text(
        'import torch.distributed as dist\nimport helpers\n\ndist.init_process_group("gloo")\nhelpers.wait()\n',
        encoding="utf-8",
    )
    out = run("helpers.py:5").out
    assert out.startswith("helpers.py:5, run as run.py:\n  rank 0 executes it\n")
    assert "Hang: the ranks do not meet in 1 place" in out


def test_links_to_a_revision(run):
    base = "https://example.org/team/repo/blob/0123abc/"
    out = run("train.py", "--format", "html", "--link-base", base).out
    assert f'href="{base}train.py#L4"' in out
    (trace,) = json.loads(run("train.py", "--format", "json", "--link-base", base).out)["traces"]
    assert trace["steps"][0]["cells"][0]["address"] == f"{base}train.py#L7"
    assert f'<a href="{base}train.py#L10">' in run("train.py", "--format", "svg", "--link-base", base).out


@pytest.mark.parametrize("base", ["javascript:alert(1)", "ftp://x/y", 'https://x/"onload', "file:///etc", "//x/y", ""])
def test_only_web_addresses_are_linked(run, base):
    result = run("train.py", "--format", "html", "--link-base", base)
    if base:
        assert (result.code, result.out) == (2, "")
        assert "is no http or https address" in result.err
    else:
        assert 'href="http' not in result.out


def test_links_to_the_commit_that_is_checked_out(run, tmp_path):
    git = tmp_path / ".git"
    (git / "refs/heads").mkdir(parents=True)
    (git / "config").write_text('[remote "origin"]\n\turl = git@example.org:team/repo.git\n', encoding="utf-8")
    (git / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    assert "no commit and remote" in run("train.py", "--link-base", "git").err
    (git / "refs/heads/main").write_text("0123456789" * 4 + "\n", encoding="utf-8")
    out = run("train.py", "--format", "html", "--link-base", "git").out
    assert 'href="https://example.org/team/repo/blob/' + "0123456789" * 4 + '/train.py#L4"' in out


def test_a_training_loop_out_of_sight(run, tmp_path):
    (tmp_path / "pretrain.py").write_text(HIDDEN, encoding="utf-8")
    lines = run("pretrain.py").out.splitlines()
    assert lines[-1] == "The training loop is inside `pretrain(...)` (pretrain.py:24), which ddl-lint cannot see"
    assert not [line for line in lines if "Config" in line]


def test_a_program_that_was_cut_short(run, tmp_path):
    (tmp_path / "ddl-lint.toml").write_text("max-steps = 100\n", encoding="utf-8")
    config.forget()
    long = "".join(f"    y{number} = {number}\n" for number in range(200))
    (tmp_path / "train.py").write_text(SCRIPT.replace("    if dist", f"{long}    if dist"), encoding="utf-8")
    out = " ".join(run("train.py").out.split())
    assert "Partly checked: the analysis stopped after 100 statements, in `main()` (train.py:" in out
    assert out.endswith("code after it was not checked")
    assert "No hang" not in out


@pytest.mark.skipif(sys.platform == "win32", reason="such names do not exist there")
def test_hostile_names_in_every_format(run, tmp_path):
    name = "<img src=x onerror=alert(1)>];[x](javascript:x) end.py"
    (tmp_path / name).write_text(
        SCRIPT.replace("dist.get_rank() == 0", "dist.get_rank() == 0 and x != '</textarea></style><script>'"),
        encoding="utf-8",
    )
    page = run(name, "--format", "html").out
    assert "<img" not in page and page.count("<script>") == 1 and page.count("</textarea>") == 2
    assert "<img" not in run(name, "--format", "svg").out
    assert not re.search(r"[<>;\[\]]", re.sub(r"#\d+;|<br/>", "", run(name, "--format", "mermaid").out))


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


CROSSING = """\
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
x = torch.zeros(4)
peer = 1 - dist.get_rank()
dist.send(x, dst=peer)
dist.recv(x, src=peer)
dist.barrier()
"""


def test_messages_that_cross_are_no_clear_trace(run, tmp_path):
    (tmp_path / "ring.py").write_text(CROSSING, encoding="utf-8")
    done = run("ring.py")
    assert "No hang found" not in done.out
    assert re.search(r"^Hang: rank 0 waits in `send` for rank 1.*ring.py:7", done.out, re.MULTILINE | re.DOTALL)
    (trace,) = json.loads(run("ring.py", "--output-format", "json").out)["traces"]
    assert trace["verdict"]["tone"] == "hang"
    assert not any(step["gap"] for step in trace["steps"])  # no row shows a message between two ranks


def test_what_a_rule_finds_where_all_ranks_meet_is_marked_there(run, tmp_path):
    program = """\
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
if dist.get_rank() == 0:
    order = torch.tensor([0.0, 1.0])
else:
    order = torch.zeros(2, dtype=torch.int64)
dist.broadcast(order, src=0)
"""
    (tmp_path / "types.py").write_text(program, encoding="utf-8")
    (trace,) = json.loads(run("types.py", "--output-format", "json").out)["traces"]
    (gap,) = {step["gap"]["message"] for step in trace["steps"] if step["gap"]}
    assert trace["verdict"]["text"].startswith(gap)


def test_a_rule_that_is_ignored_is_sure_of_nothing_in_a_trace(run, tmp_path):
    (tmp_path / "ring.py").write_text(CROSSING, encoding="utf-8")
    (tmp_path / "ddl-lint.toml").write_text('ignore = ["p2p-unmatched"]\n', encoding="utf-8")
    shown = run("ring.py").out
    assert "Possible hang in 1 place: the settings or a comment turn this finding off\n" in shown


def test_what_a_rule_finds_in_a_function_is_said_in_the_trace_of_the_function(run, tmp_path):
    lines = CROSSING.splitlines()
    program = [
        *lines[:6],
        "def exchange():",
        *(f"    {line}" for line in lines[6:]),
        "def meet():",
        "    dist.barrier()",
    ]
    (tmp_path / "ring.py").write_text("\n".join([*program, "exchange()", "meet()", ""]), encoding="utf-8")
    assert "Hang: rank 0 waits in `send`" in run("ring.py::exchange").out
    assert "No hang found" in run("ring.py::meet").out


JOBS = """\
import argparse

import torch.distributed as dist


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--average", choices=["yes", "no"], default="yes")
    options = parser.parse_args()
    dist.init_process_group("gloo")
    if options.average == "yes" and dist.get_rank() == 3:
        dist.all_reduce(options.loss)
    dist.barrier()


main()
"""

LAUNCHES = """\
torchrun --nproc_per_node 8 jobs.py --average yes
torchrun --nproc_per_node 8 jobs.py --average no
torchrun --nproc_per_node 2 jobs.py --average yes
"""


@pytest.fixture
def jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script with three launches, in the working directory."""
    (tmp_path / "jobs.py").write_text(JOBS)
    (tmp_path / "run.sh").write_text(LAUNCHES)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("jobs")
@pytest.mark.parametrize(
    ("job", "tone", "classes", "processes"),
    [
        ("run.sh:1", "hang", ["the other ranks", "rank 3"], 8),
        ("run.sh:2", "clear", ["all ranks"], 8),
        ("run.sh:3", "clear", ["all ranks"], 2),
    ],
)
def test_a_job_is_shown_with_its_options_and_its_size(
    job: str, tone: str, classes: list[str], processes: int, run: Callable[..., Result]
) -> None:
    (trace,) = json.loads(run("jobs.py", "--job", job, "--format", "json").out)["traces"]
    assert trace["verdict"]["tone"] == tone
    assert [each["title"] for each in trace["classes"]] == classes
    assert (trace["launch"]["processes"], trace["launch"]["range"]["start"]["line"]) == (processes, int(job[-1]))


@pytest.mark.usefixtures("jobs")
def test_the_head_of_a_trace_names_its_job(run: Callable[..., Result]) -> None:
    shown = " ".join(run("jobs.py", "--job", "run.sh:1").out.split())
    assert "as run.sh:1 starts them (8 processes), shown with 4 processes" in shown


@pytest.mark.usefixtures("jobs")
@pytest.mark.parametrize(
    ("job", "said"),
    [
        ("run.sh", "several launches are there; name one of `run.sh:1`, `run.sh:2`, `run.sh:3`"),
        ("run.sh:7", "no launch of this script is there; its launches are at `run.sh:1`, `run.sh:2`, `run.sh:3`"),
        ("other.sh", "no launch of this script is there"),
    ],
)
def test_a_job_that_is_not_there_is_refused(job: str, said: str, run: Callable[..., Result]) -> None:
    result = run("jobs.py", "--job", job)
    assert result.code == 2
    assert f"--job {job}: {said}" in result.err


@pytest.mark.parametrize(("options", "tone"), [("", "clear"), (" --alone", "hang"), (' "$@"', "hang")])
def test_a_flag_that_a_job_surely_does_not_give_is_off(
    options: str, tone: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Callable[..., Result]
) -> None:
    text = JOBS.replace('"--average", choices=["yes", "no"], default="yes"', '"--alone", action="store_true"')
    (tmp_path / "flags.py").write_text(text.replace('options.average == "yes"', "options.alone"))
    (tmp_path / "run.sh").write_text(f"torchrun --nproc_per_node 8 flags.py{options}\n")
    monkeypatch.chdir(tmp_path)
    (trace,) = json.loads(run("flags.py", "--job", "run.sh", "--format", "json").out)["traces"]
    assert trace["verdict"]["tone"] == tone
