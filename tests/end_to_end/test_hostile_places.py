"""A checked folder that has links, journals and stored results where ddl-lint would write or look for its own."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from pathlib import Path

import pytest

from ddl_lint.fixes.journal import digest

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="links of POSIX")]

HANG = """\
import torch
import torch.distributed as dist

dist.init_process_group("nccl")
if dist.get_rank() == 0:
    dist.all_reduce(torch.ones(3).cuda())
"""
WRITERS = {
    "check --output-format sarif --output-file NAME train.py": "ddl-lint.sarif",
    "check --output-format gitlab --output-file NAME train.py": "gl-code-quality-report.json",
    "check --output-format json --output-file other.json --output-format text --output-file NAME": "found.txt",
    "check --diff --output-file NAME": "changes.patch",
    "check --write-baseline NAME": "ddl-lint-baseline.json",
    "check --shard 1/1 --output-file NAME": "shard.json",
    "report": "ddl-lint-report.html",
    "report --output-file NAME": "report.html",
    "trace train.py --output-format html --output-file NAME": "trace.html",
    "jobs --output-format svg --output-file NAME": "jobs.svg",
    "scan list.txt --output-format json --output-file NAME": "scan.json",
}
READERS = ("check", "check train.py", "check -", "check --shard 1/1", "report -o -", "trace train.py", "jobs")


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "tool").write_text("#!/bin/sh\necho the real tool\n")
    (folder / "tool").chmod(0o755)
    return folder


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("words", "way"),
    [
        *((words, "to a file") for words in WRITERS),
        *((next(iter(WRITERS)), way) for way in ("to nothing", "through a folder", "into the repository")),
    ],
)
def test_nothing_is_written_through_a_link_that_leads_out(project, run, outside, words, way):
    folder = project({"train.py": HANG, "list.txt": ".\n", ".git/hooks/x": ""})
    name = WRITERS[words]
    if way == "through a folder":
        (folder / "out").symlink_to(outside)
        name = f"out/{name}"
    else:
        target = {"to a file": outside / "tool", "to nothing": outside / "new"}.get(way, folder / ".git/hooks/x")
        (folder / name).symlink_to(target)
    before = contents(outside)
    result = run(*words.replace("NAME", name).split())
    assert result.code == 2
    assert "leads out of the project" in result.err
    assert contents(outside) == before
    assert (folder / ".git/hooks/x").read_text() == ""


def test_links_inside_of_the_project_and_those_of_the_system_are_followed(project, run):
    folder = project({"train.py": HANG, "reports/old.json": "", "pyproject.toml": ""})
    (folder / "found.json").symlink_to("reports/old.json")
    assert run("check", "--output-format", "json", "--output-file", "found.json").code == 1
    assert json.loads((folder / "reports/old.json").read_text())["diagnostics"]
    assert (folder / "found.json").is_symlink()
    assert run("check", "--output-file", "/dev/null").code == 1


def test_an_output_is_no_program(project, run):
    folder = project({"train.py": HANG, "found.json": "{}"})
    (folder / "found.json").chmod(0o775)
    run("check", "--output-format", "json", "--output-file", "found.json")
    assert (folder / "found.json").stat().st_mode & 0o777 == 0o664


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("train.py", HANG),
        ("run.sh", "torchrun train.py\n"),
        ("requirements.txt", "torch\n"),
        ("pyproject.toml", ""),
        ("ds_config.json", "{}"),
        ("Makefile", "all:\n"),
        ("job.yaml", ""),
        ("train", "#!/usr/bin/env python\n"),
        ("weights.bin", b"\0\1\2"),
    ],
)
@pytest.mark.parametrize("link", [False, True])
def test_what_is_checked_is_no_place_for_an_output(project, run, name, content, link):
    folder = project({"other.py": HANG, name: content})
    if link:
        (folder / "found.txt").symlink_to(name)
    for words in (("check",), ("report",), ("jobs",)):
        result = run(*words, "--output-file", "found.txt" if link else name)
        assert result.code == 2
        assert "is not written" in result.err
    assert (folder / name).read_bytes() == (content if isinstance(content, bytes) else content.encode())


def test_an_output_may_take_the_place_of_the_last_one(project, run):
    folder = project({"train.py": HANG})
    for format in ("text", "json", "sarif", "gitlab", "junit", "github", "concise", "grouped", "jsonl", "agent"):
        assert run("check", "--output-format", format, "--output-file", "found").code == 1
    assert (folder / "found").read_text()


# --- journals and stored results --------------------------------------------------------------------------------------


PLACES = ("DDL_LINT_CACHE_DIR", "XDG_CACHE_HOME", "XDG_STATE_HOME", "TMPDIR", "HOME")


@pytest.mark.parametrize(
    ("words", "variables"),
    [
        *((words, PLACES) for words in (*READERS, "merge shard.json", "scan list.txt", "rules", "check --fix")),
        *(("check src", (name,)) for name in PLACES),
    ],
)
def test_a_journal_that_comes_with_a_project_is_not_obeyed(project, run, outside, monkeypatch, words, variables):
    folder = project({"train.py": HANG, "src/train.py": HANG, "list.txt": ".\n", "setup.cfg": ""})
    if words.startswith("merge"):
        run("check", "--shard", "1/1", "--output-file", "shard.json")
    tool = outside / "tool"
    step = {
        "target": str(tool),
        "temporary": str(outside / ".ddl-lint-0123456789abcdef.tmp"),
        "before": base64.b64encode(b"forged").decode(),
        "after": digest(tool.read_bytes()),
    }
    before = contents(outside)
    for name in ("", "ddl-lint", ".cache/ddl-lint", ".local/state/ddl-lint", f"ddl-lint-{os.getuid()}"):
        for place in (folder / "here" / name / "changes", folder / "here" / name):
            place.mkdir(parents=True, exist_ok=True)
            for state in ("undoing", "one.undoing"):
                (place / state).write_text(json.dumps([step]))
    for path in (folder / "here").rglob("*"):
        path.chmod(0o700)
    for unset in ("DDL_LINT_CACHE_DIR", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(unset, raising=False)
    monkeypatch.setenv("HOME", str(folder.parent))
    for name in variables:
        monkeypatch.setenv(name, str(folder / "here"))
    run(*words.split(), stdin=HANG.encode())
    assert contents(outside) == before


@pytest.mark.parametrize("subject", [".", "src", "src/train.py", "-"])
def test_results_that_are_stored_in_a_project_hide_nothing(project, run, monkeypatch, subject):
    """Neither those of the folder that is checked nor those of the repository around it: what the folder says is that
    a report of another program is that of this one.
    """
    folder = project({"src/train.py": HANG, "pyproject.toml": ""})
    cache = folder / ".cache" / "ddl-lint"
    monkeypatch.setenv("DDL_LINT_CACHE_DIR", str(cache))
    result = run("check", "--output-format", "concise", subject, stdin=HANG.encode())
    assert "DDL502" in result.out
    assert result.err.count("note: stored results are not used") == 1
    assert str(cache) in result.err
    assert not cache.exists()
    monkeypatch.setenv("DDL_LINT_CACHE_DIR", ".cache/ddl-lint")
    assert "note: " in run("check", subject, stdin=HANG.encode()).err
    assert "note: " not in run("check", "--quiet", subject, stdin=HANG.encode()).err
    assert "note: " not in run("check", "--no-cache", subject, stdin=HANG.encode()).err
    assert not (folder / ".cache").exists()


@pytest.mark.parametrize("words", [*READERS, "report -o - --no-cache", "scan list.txt --results ../results", "rules"])
def test_no_command_keeps_anything_in_a_project(project, run, monkeypatch, words):
    folder = project({"train.py": HANG, "list.txt": ".\n", "pyproject.toml": ""})
    monkeypatch.setenv("DDL_LINT_CACHE_DIR", str(folder / "cache"))
    before = sorted(folder.rglob("*"))
    run(*words.split(), stdin=HANG.encode())
    assert sorted(folder.rglob("*")) == before


# --- a scan -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["a file", "a device", "a link", "scanned"])
def test_results_of_a_scan_that_cannot_be_kept_are_told(project, run, outside, way):
    folder = project({"a/train.py": HANG, "a/pyproject.toml": "", "list.txt": "a\n", "file": ""})
    results = {"a file": "file", "a device": "/dev/null", "a link": "link", "scanned": "a/results"}[way]
    if way == "a link":
        (folder / "link").symlink_to(outside)
    before = contents(outside)
    result = run("scan", "list.txt", "--output-format", "concise", "--results", results)
    assert (result.code, result.out.count("DDL502")) == (1, 1)
    assert result.err.count("no results are kept") == 1
    assert contents(outside) == before
    assert not (folder / "a" / "results").exists()


# --- words that say nothing -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", ["check", "report", "jobs", "trace", "config", "check --baseline", "scan", "clean -c"]
)
def test_an_empty_word_is_no_folder(project, run, words):
    project({"train.py": HANG})
    words = words.replace("-c", "--cache-dir")
    result = run(*words.split(), "")
    assert result.code == 2
    assert "is a variable not set?" in result.err


@pytest.mark.parametrize("glob", ["[", "src/[ab", "![", "[]"])
def test_a_glob_that_matches_nothing_is_told(project, run, glob):
    folder = project({"train.py": HANG})
    assert "does not end it" in run("check", f"--exclude={glob}").err
    (folder / "ddl-lint.toml").write_text(f'exclude = ["{glob}"]\n')
    assert "does not end it" in run("check").err


def test_other_sets_are_globs(project, run):
    project({"a.py": HANG, "b.py": HANG, "].py": HANG})
    result = run("check", "--output-format", "concise", "--exclude=[ab].py", "--exclude=[]].py", r"--exclude=\[")
    assert (result.code, result.out) == (0, "No problems found in 0 files.\n") or "DDL502" not in result.out


@pytest.mark.parametrize("revision", ["^HEAD", "HEAD^@", "HEAD..HEAD", "-x"])
def test_what_is_no_commit_is_no_revision(project, run, revision):
    folder = project({"train.py": HANG})
    git = ("git", "-C", str(folder), "-c", "user.name=A", "-c", "user.email=a@example.org")
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "x")):
        subprocess.run([*git, *words], check=True)
    assert run("check", f"--changed-since={revision}").code == 2
    assert run("check", "--changed-since=HEAD").code == 0


def test_two_files_are_not_taken_for_one_shard(project, run):
    """One of them may have come with the project."""
    folder = project({"train.py": HANG})
    run("check", "--shard", "1/1", "--output-file", "shard.json")
    (folder / "other.json").write_bytes((folder / "shard.json").read_bytes())
    result = run("merge", "shard.json", "other.json")
    assert result.code == 2
    assert "are both shard 1" in result.err


def test_cleaning_leaves_what_is_not_ours(project, run):
    folder = project({"cl/mine/fedcba9876543210fedcba9876543210": "2\n"})
    result = run("clean", "--cache-dir", "cl")
    assert (result.code, "has no CACHEDIR.TAG of ddl-lint" in result.err) == (2, True)
    assert (folder / "cl/mine/fedcba9876543210fedcba9876543210").exists()
