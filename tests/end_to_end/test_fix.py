"""`--fix`, `--unsafe-fixes`, `--diff`, `--ask` and `--add-ignore`: what happens to the files, and what is said."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys

import pytest

from ddl_lint.commands import main as cli

TRAIN = """\
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

torch.nn.Linear(4, 2).load_state_dict(torch.load("model.pt"))
dist.init_process_group("nccl")
model = DDP(torch.nn.Linear(4, 2).cuda(), device_ids=[0])
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "model.pt")  # the best one
"""
MENDED = TRAIN.replace("model.state_dict()", "model.module.state_dict()")
ONLY = ("--select", "DDL305", "--extend-select", "DDL004")


@pytest.fixture
def tool(project):
    """The command as a process, with an environment of no CI system: returns what it has put into a pipe."""
    marks = ("CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION", "FORCE_COLOR")
    environment = {name: value for name, value in os.environ.items() if name not in marks}

    def call(*words: str, stdout=subprocess.DEVNULL, input: bytes | None = None, **variables: str) -> bytes:
        command = [sys.executable, "-m", "ddl_lint", *words]
        done = subprocess.run(
            command, cwd=project({}), stdout=stdout, input=input, env=environment | variables, check=False
        )
        return done.stdout

    return call


@pytest.fixture
def train(project):
    return project({"train.py": TRAIN}) / "train.py"


def all_safe(project) -> None:
    """The project says that it trusts the fix."""
    project({"ddl-lint.toml": 'extend-safe-fixes = ["DDL305"]\n'})


def test_a_safe_fix_is_written(project, train, run):
    all_safe(project)
    result = run("check", *ONLY, "--fix")
    assert result.code == 0
    assert train.read_text() == MENDED
    assert result.out == (
        "No problems found in 1 file.\nFixed 1 finding in 1 file:\n    train.py: 1 x ddp-wrapped-state-dict\n"
    )
    assert run("check", *ONLY, "--fix").out == "No problems found in 1 file.\nFixed nothing.\n"


def test_an_unsafe_fix_needs_its_option(project, train, run):
    project({"ddl-lint.toml": 'extend-unsafe-fixes = ["DDL305"]\n'})
    result = run("check", *ONLY, "--fix")
    assert result.code == 1
    assert train.read_text() == TRAIN
    assert "1 finding more can be fixed with --unsafe-fixes: ddp-wrapped-state-dict.\n" in result.out
    assert run("check", *ONLY, "--fix", "--unsafe-fixes").code == 0
    assert train.read_text() == MENDED


def test_the_configuration_may_want_unsafe_fixes(project, train, run):
    project({"ddl-lint.toml": 'unsafe-fixes = true\nextend-unsafe-fixes = ["DDL305"]\n'})
    assert run("check", *ONLY, "--fix", "--no-unsafe-fixes").code == 1
    assert run("check", *ONLY, "--fix").code == 0
    assert train.read_text() == MENDED


def test_the_configuration_may_forbid_a_fix(project, train, run):
    project({"ddl-lint.toml": 'unfixable = ["DDL305"]\n'})
    result = run("check", *ONLY, "--fix", "--unsafe-fixes")
    assert result.code == 1
    assert train.read_text() == TRAIN
    assert "1 finding without a fix: ddp-wrapped-state-dict.\n" in result.out


def test_a_wrong_rule_in_the_configuration_is_named(project, train, run):
    project({"ddl-lint.toml": 'unfixable = ["DDL999"]\n'})
    result = run("check", "--fix")
    assert result.code == 2
    assert "unknown rule `DDL999`" in result.err


def test_a_diff_changes_nothing(project, train, run):
    all_safe(project)
    result = run("check", *ONLY, "--diff")
    assert result.code == 1
    assert train.read_text() == TRAIN
    assert result.out.splitlines()[:2] == ["--- train.py", "+++ train.py"]
    assert '-    torch.save(model.state_dict(), "model.pt")  # the best one' in result.out.splitlines()
    assert '+    torch.save(model.module.state_dict(), "model.pt")  # the best one' in result.out.splitlines()
    assert len([line for line in result.out.splitlines() if line[:1] in "+-"]) == 4


HOSTILE = TRAIN + 'print("""\n::warning::x\n##vso[task.complete]\x1b[31m\x0c\n""")\n'


@pytest.mark.skipif(shutil.which("patch") is None, reason="needs patch")
def test_a_diff_for_a_program_can_be_applied(project, tool):
    """Whatever the file holds: in a pipe, in a file of the shell and in one of ours, even in a job of a CI system."""
    all_safe(project)
    folder = project({"train.py": HOSTILE})
    piped = tool("check", *ONLY, "--diff", stdout=subprocess.PIPE)
    with (folder / "shell.patch").open("wb") as stream:
        tool("check", *ONLY, "--diff", stdout=stream, CI="true")
    tool("check", *ONLY, "--diff", "--output-file", "ours.patch", "--color=always", CI="true")
    exact = (folder / "shell.patch").read_bytes()
    assert piped == exact == (folder / "ours.patch").read_bytes()
    subprocess.run(["patch", "-p0", "--quiet"], cwd=folder, input=exact, check=True)
    assert (folder / "train.py").read_text() == HOSTILE.replace("model.state_dict()", "model.module.state_dict()")


@pytest.mark.slow
@pytest.mark.parametrize("mark", ["CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"])
def test_a_diff_acts_on_nothing_in_the_log_of_a_job(project, tool, mark):
    all_safe(project)
    project({"train.py": HOSTILE})
    shown = tool("check", *ONLY, "--diff", stdout=subprocess.PIPE, **{mark: "true"}).decode()
    assert r" \x3a:warning::x" in shown and r" \x23#vso[task.complete]" in shown and r"\x1b[31m\x0c" in shown
    assert "\x1b" not in shown and "##" not in shown


@pytest.mark.skipif(sys.platform == "win32", reason="has no such terminals")
@pytest.mark.parametrize("words", [("--diff",), ("--fix", "-")])
def test_text_of_the_file_acts_on_no_terminal(project, tool, words):
    import pty

    all_safe(project)
    project({"train.py": HOSTILE})
    ours, theirs = pty.openpty()
    tool("check", *ONLY, *words, "--color=never", stdout=theirs, input=HOSTILE.encode() if "-" in words else None)
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError), os.fdopen(ours, "rb", buffering=0) as terminal:
        while some := terminal.read(4096):
            shown += some
    assert rb"\x1b[31m\x0c" in shown and b"\x1b" not in shown


def test_no_difference_is_success(project, run):
    project({"a.py": "x = 1\n"})
    assert run("check", "--diff") == (0, "", "")


@pytest.mark.parametrize(
    "content",
    [
        TRAIN.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + TRAIN.encode(),
        TRAIN.replace("    ", "\t").encode(),
        f"# -*- coding: latin-1 -*-\n# größe\n{TRAIN}".encode("latin-1"),
        TRAIN.rstrip("\n").encode(),
        TRAIN.replace("\n\n", "\n\x0c\n").encode(),
    ],
    ids=["crlf", "byte order mark", "tabs", "latin-1", "no last line end", "form feed"],
)
def test_all_other_bytes_stay(project, run, content):
    all_safe(project)
    file = project({"train.py": content}) / "train.py"
    assert run("check", *ONLY, "--fix").code == 0
    assert file.read_bytes() == content.replace(b"model.state_dict()", b"model.module.state_dict()")


def test_a_notebook(project, run, notebook):
    all_safe(project)
    before = notebook("%matplotlib inline\n" + TRAIN, ("markdown", "# model.state_dict()"))
    file = project({"n.ipynb": before}) / "n.ipynb"
    assert run("check", *ONLY, "--fix").code == 0
    assert file.read_text() == before.replace("torch.save(model.state_dict()", "torch.save(model.module.state_dict()")


def test_stdin_gives_the_fixed_text(project, run):
    all_safe(project)
    result = run("check", *ONLY, "--fix", "--stdin-filename", "train.py", stdin=TRAIN.encode())
    assert result == (0, MENDED, "")


def test_a_file_that_cannot_be_written(project, train, run, monkeypatch):
    all_safe(project)
    monkeypatch.setattr("os.access", lambda *_: False)
    result = run("check", *ONLY, "--fix")
    assert result.code == 2
    assert "is read-only" in result.err
    assert train.read_text() == TRAIN
    assert "ddp-wrapped-state-dict" in result.out, "what was found is still shown"


def test_a_fix_does_not_reach_into_files_that_are_not_checked(project, run):
    project({"ddl-lint.toml": 'extend-safe-fixes = ["ALL"]\n'})
    save = "import torch\n\n\ndef save(model):\n    torch.save(model.state_dict(), 'model.pt')\n"
    train = TRAIN.partition("if dist")[0] + "import store\n\nif dist.get_rank() == 0:\n    store.save(model)\n"
    folder = project({"store.py": save, "train.py": train})
    run("check", *ONLY, "--fix", "train.py")
    assert (folder / "store.py").read_text() == save
    assert run("check", *ONLY, "--fix").code == 0
    assert "model.module.state_dict()" in (folder / "store.py").read_text()


@pytest.fixture
def answer(monkeypatch, capsys):
    def call(answers: str, *arguments: str) -> tuple[int, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(answers))
        code = cli.main(["check", *ONLY, "--fix", "--ask", *arguments])
        return code, capsys.readouterr().out

    return call


@pytest.mark.parametrize(
    ("answers", "fixed"),
    [
        ("y\nn\n", ["a.py"]),
        ("n\ny\n", ["b.py"]),
        ("a\n", ["a.py", "b.py"]),
        ("what\nyes\nquit\n", ["a.py"]),
        ("", []),
    ],
)
def test_asking(project, answer, answers, fixed):
    folder = project({"a.py": TRAIN, "b.py": TRAIN})
    code, out = answer(answers)
    assert [file.name for file in sorted(folder.glob("?.py")) if file.read_text() == MENDED] == fixed
    assert code == (0 if len(fixed) == 2 else 1)
    assert "+    torch.save(model.module.state_dict()" in out
    assert out.count("Apply this fix?") == max(1, answers.count("\n"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--ask",), "--ask asks about the fixes of --fix"),
        (("--diff", "--ask", "--fix"), "--diff changes nothing"),
        (("--add-ignore", "--fix"), "--add-ignore silences"),
        (("--unsafe-fixes",), "--unsafe-fixes says which fixes"),
        (("--fix", "--ask", "-"), "--ask reads the answers from stdin"),
    ],
)
def test_options_that_do_not_fit_together(project, run, options, message):
    project({})
    result = run("check", *options)
    assert result.code == 2
    assert message in result.err


def test_comments_are_added_and_taken_away_again(project, train, run):
    result = run("check", *ONLY, "--add-ignore")
    assert (result.code, result.out) == (0, "No problems found in 1 file.\nSilenced 1 finding in 1 file.\n")
    silenced = TRAIN.replace("# the best one", "# the best one  # ddl-lint: ignore[ddp-wrapped-state-dict]")
    assert train.read_text() == silenced
    assert run("check", *ONLY, "--add-ignore").out == "No problems found in 1 file.\nNothing to silence.\n"
    train.write_text(silenced.replace("model.state_dict()", "model.module.state_dict()"))
    assert "DDL004" in run("check", *ONLY).out
    assert run("check", *ONLY, "--fix").code == 0
    assert train.read_text() == MENDED


def test_json_stays_json(project, train, run):
    all_safe(project)
    result = run("check", *ONLY, "--fix", "--output-format", "json")
    assert json.loads(result.out)["diagnostics"] == []
    assert "Fixed 1 finding in 1 file:" in result.err


def test_a_broken_fix_is_our_fault_and_is_said(project, train, run, monkeypatch):
    all_safe(project)
    monkeypatch.setattr("ddl_lint_rules.data_and_model.ddp_wrapped_state_dict.fix.replace_expression", _break)
    result = run("check", *ONLY, "--fix")
    assert result.code == 2
    assert train.read_text() == TRAIN
    assert "the fix of ddp-wrapped-state-dict" in result.err
    assert "could not be parsed afterwards; please report this" in result.err


def _break(file, node, text):
    return file.edit(node.start, node.end, "(")
