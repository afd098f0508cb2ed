"""Baselines, and what has changed since a commit."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from ddl_lint.check.changed import changed_lines
from ddl_lint.output.fingerprints import Fingerprint


def put(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")


def found(result) -> list[str]:
    return [f"{each['file']}:{each['range']['start']['line']}" for each in json.loads(result.out)["diagnostics"]]


@pytest.fixture
def check(run):
    """The places of the findings of a check, and the rest of its outcome."""

    def call(*options: str):
        result = run("check", "--output-format", "json", *options)
        return found(result), result

    return call


# --- baselines --------------------------------------------------------------------------------------------------------


def test_what_is_in_the_baseline_is_not_found_again(check, run):
    put("a.py", "x = 1\nlost-rank\n")
    result = run("check", "--write-baseline", "old.baseline")
    assert (result.code, result.err) == (0, "old.baseline names 1 finding: 1 new, 0 removed\n")
    put("a.py", "# new\n\nx = 1\nlost-rank\nslow-rank\n")
    places, result = check("--baseline", "old.baseline")
    assert (places, result.code) == (["a.py:5"], 1)
    assert result.err == "1 old finding is left out: see old.baseline\n"


def test_its_file_can_be_reviewed(run):
    put("b.py", "def f():\n    lost-rank\n")
    put("a.py", "slow-rank lost-rank\n")
    run("check", "--write-baseline", "old.baseline")
    lines = Path("old.baseline").read_text().splitlines()
    assert lines[:3] == ["{", '  "version": 1,', '  "findings": [']
    entries = json.loads("\n".join(lines))["findings"]
    assert len(lines) == 5 + len(entries)
    assert [(each["file"], each["rule"], each["function"]) for each in entries] == [
        ("a.py", "DDL201", ""),
        ("a.py", "DDL202", ""),
        ("b.py", "DDL201", "f"),
    ]
    assert entries[2]["fingerprint"] == Fingerprint("DDL201", "b.py", "f", "lost-rank").value
    before = Path("old.baseline").read_bytes()
    run("check", "--write-baseline", "old.baseline")
    assert Path("old.baseline").read_bytes() == before


def test_an_empty_baseline(check, run):
    put("a.py", "x = 1\n")
    assert run("check", "--write-baseline", "old.baseline").code == 0
    assert json.loads(Path("old.baseline").read_text()) == {"version": 1, "findings": []}
    assert check("--baseline", "old.baseline")[1].code == 0


def test_entries_that_are_no_longer_found_are_told_and_removed(check, run):
    put("a.py", "def f():\n    lost-rank\nslow-rank\n")
    put("gone.py", "lost-rank\n")
    run("check", "--write-baseline", "old.baseline")
    put("a.py", "slow-rank\n")
    Path("gone.py").unlink()
    places, result = check("--baseline", "old.baseline")
    assert (places, result.code) == ([], 0)
    assert result.err == (
        "1 old finding is left out: see old.baseline\n"
        "2 entries are no longer found; `--write-baseline old.baseline` removes what is fixed:\n"
        "    a.py: DDL201 lost-rank in `f`\n"
        "    gone.py: DDL201 lost-rank\n"
    )
    assert run("check", "--quiet", "--baseline", "old.baseline").err == ""
    assert run("check", "--write-baseline", "old.baseline").err == "old.baseline names 1 finding: 0 new, 2 removed\n"
    assert check("--baseline", "old.baseline")[1].err == "1 old finding is left out: see old.baseline\n"


def test_what_a_check_does_not_look_at_stays(check, run):
    put("a.py", "lost-rank slow-rank\n")
    put("b.py", "lost-rank\n")
    run("check", "--write-baseline", "old.baseline")
    whole = Path("old.baseline").read_text()
    assert "no longer found" not in check("--baseline", "old.baseline", "a.py")[1].err
    assert "no longer found" not in check("--baseline", "old.baseline", "--select", "slow-rank")[1].err
    run("check", "--write-baseline", "old.baseline", "--select", "slow-rank", "a.py")
    assert Path("old.baseline").read_text() == whole


def test_files_are_relative_to_the_baseline(check, run, monkeypatch):
    put("src/a.py", "lost-rank\n")
    Path("ci").mkdir()
    run("check", "--write-baseline", "ci/old.baseline")
    assert json.loads(Path("ci/old.baseline").read_text())["findings"][0]["file"] == "../src/a.py"
    monkeypatch.chdir("src")
    assert check("--baseline", "../ci/old.baseline")[0] == []


def test_a_second_fault_of_the_same_kind_is_new(check, run):
    put("a.py", "lost-rank\n")
    run("check", "--write-baseline", "old.baseline")
    put("b.py", "lost-rank\n")
    assert check("--baseline", "old.baseline")[0] == ["b.py:1"]


def test_statistics_and_exit_code_are_of_what_is_left(run):
    put("a.py", "lost-rank\n")
    run("check", "--write-baseline", "old.baseline")
    put("a.py", "lost-rank small-talk\n")
    result = run("check", "--baseline", "old.baseline", "--statistics")
    assert result.code == 0  # advice
    assert result.out.splitlines()[0].split()[:2] == ["1", "DDL301"]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "--write-baseline makes one"),
        ("{", "is not valid JSON"),
        ("[]", "is no baseline of version 1"),
        ('{"version": 2, "findings": []}', "is no baseline of version 1"),
        ('{"version": 1}', "has no list `findings`"),
        ('{"version": 1, "findings": [{}]}', "entry 1 of `findings` needs"),
        ('{"version": 1, "findings": [{"file": 1, "fingerprint": "x"}]}', "entry 1 of `findings` needs"),
        ("[" * 100_000, "is not valid JSON"),
    ],
)
def test_a_baseline_that_cannot_be_used(run, content, told):
    if content is not None:
        put("old.baseline", content)
    put("a.py", "x = 1\n")
    result = run("check", "--baseline", "old.baseline")
    assert result.code == 2
    assert result.err.startswith("error: old.baseline: ") and told in result.err


@pytest.mark.parametrize(
    "option", ["--fix", "--diff", "--add-ignore", "--watch", "--baseline=x", "--changed-since=HEAD"]
)
def test_what_does_not_go_with_writing_one(run, option):
    result = run("check", "--write-baseline", "old.baseline", option)
    assert result.code == 2
    assert "leave out --" in result.err or "--watch" in result.err
    assert not Path("old.baseline").exists()


# --- what has changed -------------------------------------------------------------------------------------------------


def git(*words: str) -> str:
    identity = ["-c", "user.name=A", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false"]
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(["git", *identity, *words], capture_output=True, text=True, check=True, env=environment)
    return done.stdout.strip()


def commit() -> str:
    git("add", "-A")
    git("commit", "-q", "-m", "a commit")
    return git("rev-parse", "HEAD")


@pytest.fixture
def repository(run, tmp_path):
    git("init", "-q", "-b", "main")
    put("a.py", "lost-rank\nx = 1\nslow-rank\n")
    put("b.py", "lost-rank\n")
    return commit()


def test_only_findings_on_changed_lines_are_shown(check, repository):
    assert check("--changed-since", "HEAD")[0] == []
    put("a.py", "lost-rank\nx = 1\n\nslow-rank  # now\n")
    assert check("--changed-since", "HEAD")[0] == ["a.py:4"]
    commit()
    assert check("--changed-since", "HEAD")[0] == []
    assert check("--changed-since", "HEAD~1")[0] == ["a.py:4"]
    assert check("--changed-since", repository[:10])[0] == ["a.py:4"]


def test_untracked_and_ignored_files_have_changed(check, repository):
    put("new.py", "lost-rank\n")
    put("ignored.py", "lost-rank\n")
    put(".git/info/exclude", "ignored.py\n")
    places, result = check("--changed-since", "main", "new.py", "ignored.py", "a.py")
    assert (places, result.code) == (["ignored.py:1", "new.py:1"], 1)


def test_a_branch_is_compared_with_where_it_began(check, repository):
    git("checkout", "-q", "-b", "topic")
    put("b.py", "lost-rank\nx = 2\n")
    commit()
    git("checkout", "-q", "main")
    put("a.py", "x = 1\n")  # main has fixed what the branch still has
    commit()
    git("checkout", "-q", "topic")
    assert check("--changed-since", "main")[0] == []


def test_a_file_that_was_moved_has_not_changed(check, repository):
    Path("sub").mkdir()
    Path("a.py").rename("sub/c.py")
    assert check("--changed-since", "HEAD")[0] == []
    Path("sub/c.py").rename("sub/a.py")
    put("sub/a.py", "lost-rank\nx = 1\nslow-rank # now\n")
    assert check("--changed-since", "HEAD")[0] == ["sub/a.py:3"]


def test_a_copy_has_changed(check, repository):
    put("copy.py", Path("b.py").read_text())
    assert check("--changed-since", "HEAD")[0] == ["copy.py:1"]


def test_line_ends_are_no_change(check, repository):
    Path("b.py").write_bytes(b"lost-rank\r\n")
    assert check("--changed-since", "HEAD")[0] == []


def test_from_a_folder_below(check, repository, monkeypatch):
    put("sub/d.py", "lost-rank\n")
    monkeypatch.chdir("sub")
    assert check("--changed-since", "HEAD")[0] == ["d.py:1"]


def test_a_repository_inside(check, repository, tmp_path, monkeypatch):
    """A submodule is compared with the commit that it was at; what else is in there has changed."""
    Path("inner").mkdir()
    monkeypatch.chdir("inner")
    git("init", "-q", "-b", "other")
    put("e.py", "lost-rank\n")
    commit()
    monkeypatch.chdir(tmp_path)
    assert check("--changed-since", "HEAD")[0] == ["inner/e.py:1"]
    commit()
    put("inner/e.py", "lost-rank\nslow-rank\n")
    assert check("--changed-since", "HEAD")[0] == ["inner/e.py:2"]


@pytest.mark.parametrize("name", ["nowhere", "--help", "-h", "main:a.py", "HEAD~99", ""])
def test_a_revision_that_is_unknown(run, repository, name):
    result = run("check", f"--changed-since={name}")
    assert result.code == 2
    assert f"has no revision `{name}`" in result.err


def test_no_repository(run, tmp_path):
    put("a.py", "x = 1\n")
    result = run("check", "--changed-since", "main")
    assert (result.code, result.err) == (2, f"error: --changed-since: {tmp_path} is not in a git repository\n")


def test_no_git(run, repository, monkeypatch):
    monkeypatch.setenv("PATH", f".{os.pathsep}bin")
    put("git", "#!/bin/sh\ntouch ran\n")
    Path("git").chmod(0o755)
    result = run("check", "--changed-since", "main")
    assert result.code == 2 and "git is not installed" in result.err
    assert not Path("ran").exists()


def test_a_repository_that_is_broken(run, repository):
    put(".git/config", "[core\n")
    result = run("check", "--changed-since", "main")
    assert result.code == 2 and "git cannot read" in result.err


def test_with_a_baseline(check, run, repository):
    put("b.py", "lost-rank\nslow-rank\n")
    run("check", "--write-baseline", "old.baseline")
    put("b.py", "lost-rank\nslow-rank\nsmall-talk\n")
    put("a.py", "lost-rank  # now\nx = 1\nslow-rank\n")
    places, result = check("--baseline", "old.baseline", "--changed-since", "HEAD")
    assert (places, result.err) == (["b.py:3"], "4 old findings are left out: see old.baseline\n")


def test_a_hostile_repository_runs_nothing(check, repository, tmp_path):
    """Whatever its configuration names: monitors, hooks, drivers, filters, transports."""
    put(".gitattributes", "*.py diff=trap filter=trap merge=trap\n")
    commit()
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\ncat\n")
    trap.chmod(0o755)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    names = ("post-index-change", "reference-transaction", "fsmonitor-watchman", "post-checkout", "pre-auto-gc")
    for name in names:
        (hooks / name).write_bytes(trap.read_bytes())
        (hooks / name).chmod(0o755)
        (tmp_path / ".git" / "hooks").mkdir(exist_ok=True)
        (tmp_path / ".git" / "hooks" / name).write_bytes(trap.read_bytes())
        (tmp_path / ".git" / "hooks" / name).chmod(0o755)
    settings = {
        **dict.fromkeys(("core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.gitProxy"), trap),
        **dict.fromkeys(("diff.external", "diff.trap.command", "diff.trap.textconv", "gpg.program"), trap),
        **dict.fromkeys(("filter.trap.clean", "filter.trap.smudge", "filter.trap.process"), trap),
        **dict.fromkeys(("core.alternateRefsCommand", "credential.helper", "remote.origin.uploadpack"), trap),
        **dict.fromkeys(("alias.ls-tree", "alias.cat-file", "alias.rev-parse", "alias.merge-base"), f"!{trap}"),
        "pager.cat-file": trap,
        "core.hooksPath": hooks,
        "filter.trap.required": "true",
        "log.showSignature": "true",
        "remote.origin.url": f"ext::{trap}",
        "remote.origin.promisor": "true",
        "remote.origin.partialclonefilter": "blob:none",
        "protocol.ext.allow": "always",
        "extensions.partialClone": "origin",
    }
    blob = git("rev-parse", "HEAD:b.py")
    lines = []
    for key, value in settings.items():
        section, _, name = key.rpartition(".")
        head, _, rest = section.partition(".")
        lines.append(f'[{head} "{rest}"]\n\t{name} = "{value}"\n' if rest else f'[{head}]\n\t{name} = "{value}"\n')
    with (tmp_path / ".git" / "config").open("a") as file:
        file.write("".join(lines) + "[core]\n\trepositoryformatversion = 1\n")
    put("a.py", "lost-rank  # now\nx = 1\nslow-rank\n")
    assert check("--changed-since", "HEAD~1")[0] == ["a.py:1"]
    (tmp_path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()  # as in a partial clone, which would fetch it
    check("--changed-since", "HEAD~1")
    assert not (tmp_path / "sprung").exists()
    subprocess.run(["git", "diff", "HEAD"], cwd=tmp_path, capture_output=True, check=False, timeout=60)
    assert (tmp_path / "sprung").exists(), "the trap is none"


# --- lines ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a b c", "a b c", []),
        ("a b c", "a x c", [2]),
        ("a b c", "x a b c y", [1, 5]),
        ("", "a b", [1, 2]),
        ("a b c", "a c", [1, 2]),
        ("a", "", []),
    ],
)
def test_changed_lines(before, after, expected):
    assert sorted(set(changed_lines(before.split(), after.split()))) == expected


def test_lines_that_are_often_the_same_are_compared_as_well():
    before = ["    x = 1", "", ")"] * 200
    after = [*before[:100], "new", *before[100:500], "other", *before[500:]]
    assert list(changed_lines(before, after)) == [101, 502]


def test_a_line_that_is_gone_is_a_change_of_its_blocks():
    before = ["def fit():", "    for epoch in epochs:", "        a()", "        set_epoch()", "        b()", "    c()"]
    after = [line for line in before if "set_epoch" not in line]
    assert sorted(set(changed_lines(before, after))) == [1, 2, 3, 4]
