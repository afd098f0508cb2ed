"""The commands beside `check`, and what the process as a whole does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ddl_lint import __version__
from ddl_lint.storage import Storage, digest

HEAVY = ["libcst", "astroid", "yaml", "pathspec", "ddl_lint.registry.rules", "ddl_lint.finding"]


def python(code: str, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, **options)


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_the_first_answers_import_nothing_heavy(argument):
    code = (
        "import sys\nfrom ddl_lint.commands.main import main\n"
        f"try: main([{argument!r}])\nexcept SystemExit: pass\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    result = python(code)
    assert result.stdout.splitlines()[-1] == "[]", result.stderr


def test_version(run):
    assert run("--version") == (0, f"ddl-lint {__version__}\n", "")


def test_version_tells_of_a_compiled_core(run, monkeypatch):
    monkeypatch.setattr("ddl_lint.commands.version.is_compiled", lambda: True)
    assert run("--version").out == f"ddl-lint {__version__} (compiled)\n"


def test_no_command_is_misuse(run):
    result = run()
    assert result.code == 2
    assert "ddl-lint --help" in result.err


def test_rules_as_text(run):
    result = run("rules")
    assert result.code == 0
    assert result.out.splitlines()[1].split() == ["DDL201", "lost-rank", "error", "hang", "Says", "lost-rank"]


def test_rules_as_json(run):
    rules = json.loads(run("rules", "--output-format", "json").out)["rules"]
    assert rules[1] == {
        "code": "DDL201",
        "name": "lost-rank",
        "summary": "Says lost-rank",
        "covers": [],
        "frameworks": ["pytorch"],
        "stage": "training",
        "symptom": "hang",
        "consequence": "hang",
        "consequences": ["hang"],
        "fix_pattern": "fix behavior logic",
        "severity": "error",
        "confidence": "high",
        "fixable": False,
        "lifecycle": "stable",
    }


def test_groups_are_listed_and_select_rules(run):
    lines = run("rules").out.splitlines()
    assert lines[lines.index("") :] == [
        "",
        "Groups, which options and settings take in place of a rule:",
        "  hang          4 rules",
        "  wrong-result  1 rule",
        "  horovod       1 rule",
        "  pytorch       5 rules",
    ]
    assert [line.split()[0] for line in run("rules", "--select", "wrong_result,ddl202").out.splitlines()] == [
        "DDL202",
        "DDL301",
    ]
    groups = json.loads(run("rules", "--output-format", "json").out)["groups"]
    assert groups["hang"] == ["DDL201", "DDL202", "DDL203", "DDL204"]
    result = run("rules", "--select", "hangs")
    assert (result.code, result.err) == (2, "error: unknown rule `hangs` (did you mean `hang`?)\n")


def test_explain_as_json(run):
    rule = json.loads(run("explain", "lost_rank", "--output-format", "json").out)["rule"]
    assert (rule["code"], rule["why"], rule["consequence"]) == ("DDL201", "Because.", "hang")


def test_config_as_json(run, tmp_path):
    (tmp_path / "ddl-lint.toml").write_text("fail-on = 'error'\n", encoding="utf-8")
    told = json.loads(run("config", "--output-format", "json").out)
    assert told["settings"]["fail-on"] == ["error"]
    assert told["source"] == str(tmp_path / "ddl-lint.toml")
    assert told["candidates"][0]["used"] is True


def test_explain_by_name_and_code(run):
    pages = {run("explain", "lost-rank"), run("explain", "DDL201"), run("--explain", "lost-rank")}
    assert len(pages) == 1
    page = pages.pop()
    assert page.code == 0
    assert page.out.startswith("DDL201 lost-rank\n")
    assert "Why\n  Because." in page.out


def test_explain_an_unknown_rule(run):
    result = run("explain", "lost-rnk")
    assert result.code == 2
    assert "did you mean `lost-rank`?" in result.err


def test_config_tells_which_file_counts_and_why(run, tmp_path):
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "pyproject.toml").write_text("[tool.other]\n", encoding="utf-8")
    (tmp_path / "ddl-lint.toml").write_text("pedantic = true\n", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("[tool.ddl-lint]\n", encoding="utf-8")
    lines = run("config", "pkg/train.py").out.replace(f"{tmp_path}{os.sep}", "").replace("\\", "/").splitlines()
    assert lines[:3] == [
        "not used: pkg/pyproject.toml (has no table [tool.ddl-lint])",
        "used: ddl-lint.toml (the nearest configuration file)",
        "not used: pyproject.toml (another configuration file in this folder comes first)",
    ]
    assert "  pedantic = true" in lines


def test_config_without_any(run):
    assert "the defaults apply" in run("config").out


def test_config_with_a_mistake(run, tmp_path):
    (tmp_path / "ddl-lint.toml").write_text("pedantic = 'yes'\n", encoding="utf-8")
    result = run("config")
    assert result.code == 2
    assert "ddl-lint.toml:1: `pedantic`: expected true or false, found a string ('yes')" in result.err


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break differently there")
def test_a_reader_that_stops_early_is_no_failure():
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "ddl_lint", "rules"]
    result = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True, timeout=60)
    os.close(write)
    assert (result.returncode, result.stderr) == (0, "")


def test_names_that_the_terminal_cannot_say_are_no_failure(tmp_path: Path):
    code = "import sys\nfrom ddl_lint.commands.main import main\nsys.exit(main(['check', '\\u65e5\\u672c.py', '-q']))"
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    stub = (
        "import sys, types; m = types.ModuleType('ddl_lint.check.engine'); "
        "outcome = types.SimpleNamespace(findings=[], documents={}, problems=[], files=0, inputs=None); "
        "m.check_project = lambda *a, **k: outcome; "
        "sys.modules['ddl_lint.check.engine'] = m\n"
    )
    result = python(stub + code, cwd=tmp_path, env=environment)
    assert result.returncode == 2
    assert "\\u65e5\\u672c.py: no such file or folder" in result.stderr


def test_clean_tells_what_it_deleted(run, tmp_path: Path, monkeypatch):
    monkeypatch.setenv("DDL_LINT_CACHE_DIR", str(tmp_path / "cache"))
    assert run("clean").out == f"Nothing is stored in {tmp_path / 'cache'}.\n"
    Storage(tmp_path / "cache").write("programs", digest("a"), b"x" * 200_000)
    assert run("clean").out == f"Deleted 1 entry (0.2 MB) from {tmp_path / 'cache'}.\n"
    assert not (tmp_path / "cache").exists()
    for number in range(2):
        Storage(tmp_path / "other").write("programs", digest(str(number)), b"x" * 200_000)
    assert run("clean", "--cache-dir", "other").out == f"Deleted 2 entries (0.4 MB) from {tmp_path / 'other'}.\n"
