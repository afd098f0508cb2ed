"""`ddl-lint check`: options, exit codes, and what happens on bad input."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from ddl_lint.commands import check_options
from ddl_lint.output import FORMATS
from ddl_lint.project.discover import Problem
from ddl_lint.registry import rules


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        folder.joinpath(f"{name}.py").write_text(text, encoding="utf-8")


def codes(out: str) -> list[str]:
    return [diagnostic["code"] for diagnostic in json.loads(out)["diagnostics"]]


def test_clean_files_exit_with_zero(run, tmp_path):
    write(tmp_path, a="x = 1\n")
    result = run("check")
    assert result == (0, "No problems found in 1 file.\n", "")


def test_findings_exit_with_one(run, tmp_path):
    write(tmp_path, a="lost-rank\n")
    result = run("check", ".")
    assert result.code == 1
    assert result.out.startswith("a.py:1:1: error DDL201 lost-rank: found lost-rank\n")
    assert "Found 1 error in 1 file." in result.out


def test_the_formats_offered_are_those_there_are():
    assert tuple(FORMATS) == check_options.FORMATS


def test_json_is_the_contract(run, tmp_path):
    write(tmp_path, a="lost-rank\n")
    result = run("check", "--output-format", "json", "--no-cache")
    data = json.loads(result.out)
    assert data["version"] == 1
    assert data["diagnostics"][0]["file"] == "a.py"
    assert data["diagnostics"][0]["range"] == {"start": {"line": 1, "column": 1}, "end": {"line": 1, "column": 10}}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], ["DDL201", "DDL202", "DDL203", "DDL301"]),
        (["--select", "DDL2"], ["DDL201", "DDL202", "DDL203"]),
        (["--select", "slow-rank,DDL301"], ["DDL202", "DDL301"]),
        (["--select", "slow-rank", "--select", "DDL301"], ["DDL202", "DDL301"]),
        (["--extend-select", "odd-rank"], ["DDL201", "DDL202", "DDL203", "DDL301"]),
        (["--ignore", "DDL2"], ["DDL301"]),
        (["--ignore", "DDL2", "--extend-select", "DDL202"], ["DDL202", "DDL301"]),
        (["--pedantic"], ["DDL201", "DDL202", "DDL203", "DDL301"]),
        (["--preview"], ["DDL201", "DDL202", "DDL203", "DDL204", "DDL301"]),
        (["--select", "new-rank"], ["DDL204"]),
        (["--select", "ALL", "--preview"], ["DDL201", "DDL202", "DDL203", "DDL204", "DDL301"]),
    ],
)
def test_which_rules_run(run, tmp_path, options, expected):
    write(tmp_path, a="lost-rank slow-rank odd-rank new-rank small-talk\n")
    result = run("check", "--output-format", "json", *options)
    assert sorted(codes(result.out)) == expected


def test_an_unknown_rule_is_misuse_with_a_hint(run):
    result = run("check", "--select", "lost-rnk")
    assert result == (2, "", "error: unknown rule `lost-rnk` (did you mean `lost-rank`?)\n")


def test_a_selection_of_nothing_is_told(run, tmp_path):
    write(tmp_path, a="new-rank\n")
    assert run("check", "--select", ",").code == 2
    result = run("check", "--select", "DDL204", "--ignore", "new-rank")
    assert result.code == 0
    assert result.err == "warning: the selection turns on no rule; rules in preview need --preview\n"


@pytest.mark.parametrize("option", ["--ignore", "--extend-select"])
def test_unknown_rules_are_found_in_every_option(run, option):
    assert run("check", option, "DDL299").code == 2


def test_fail_on_decides_the_exit_code(run, tmp_path):
    write(tmp_path, a="slow-rank\n")
    assert run("check").code == 1
    assert run("check", "--fail-on", "error").code == 0
    write(tmp_path, a="small-talk\n")
    assert run("check").code == 0
    assert run("check", "--fail-on", "wrong-result").code == 0, "its severity is info"
    assert run("check", "--fail-on", "info").code == 2


def test_fail_on_names_consequences_too(run, tmp_path):
    write(tmp_path, a="lost-rank\n", b="slow-rank\n")
    assert run("check", "--fail-on", "hang,data-loss").code == 1
    assert run("check", "--fail-on", "data-loss,race").code == 0
    assert run("check", "--fail-on", "data-loss,error").code == 1
    (tmp_path / "ddl-lint.toml").write_text("fail-on = ['data-loss']\n", encoding="utf-8")
    assert run("check").code == 0
    assert run("check", "--fail-on", "warning").code == 1


def test_exit_zero(run, tmp_path):
    write(tmp_path, a="lost-rank\n")
    result = run("check", "--exit-zero")
    assert result.code == 0
    assert "DDL201" in result.out


def test_exit_zero_does_not_hide_problems(run):
    assert run("check", "--exit-zero", "missing").code == 2


def test_a_missing_path_is_told_and_the_others_are_checked(run, tmp_path):
    write(tmp_path, a="lost-rank\n")
    result = run("check", "nowhere", "a.py")
    assert result.code == 2
    assert result.err == "error: nowhere: no such file or folder\n"
    assert "DDL201" in result.out


def test_a_folder_without_python_is_no_failure(run, tmp_path):
    result = run("check", "--output-format", "json")
    assert result.code == 0
    assert json.loads(result.out)["diagnostics"] == []
    assert "no Python files" in result.err
    assert run("check", "--quiet").err == ""


def test_problems_of_the_engine_exit_with_two(run, engine, tmp_path):
    write(tmp_path, a="x\n")
    engine.problems.append(Problem("a.py", "the check was cut short"))
    result = run("check")
    assert result.code == 2
    assert result.err == "error: a.py: the check was cut short\n"


def test_a_fault_of_ours_is_told_without_traceback(run, engine, tmp_path, monkeypatch):
    write(tmp_path, a="x\n")
    engine.error = KeyError("lost")
    result = run("check")
    assert result.code == 2
    assert result.err.startswith("error: ddl-lint itself failed: KeyError: 'lost'\n")
    assert "Traceback" not in result.err
    monkeypatch.setenv("DDL_LINT_DEBUG", "1")
    with pytest.raises(KeyError):
        run("check")


def test_interruption(run, engine, tmp_path):
    write(tmp_path, a="x\n")
    engine.error = KeyboardInterrupt()
    assert run("check") == (130, "", "error: interrupted\n")


def test_a_broken_configuration_does_not_stop_the_other_files(run, tmp_path):
    for name in ("good", "bad"):
        (tmp_path / name).mkdir()
        write(tmp_path / name, a="lost-rank\n")
    (tmp_path / "bad" / "ddl-lint.toml").write_text("selct = ['DDL2']\n", encoding="utf-8")
    result = run("check", "--output-format", "json")
    assert result.code == 2
    assert [diagnostic["file"] for diagnostic in json.loads(result.out)["diagnostics"]] == ["good/a.py"]
    assert "bad/ddl-lint.toml:1: unknown key `selct` (did you mean `select`?)" in result.err.replace("\\", "/")


def test_an_unknown_rule_in_the_configuration(run, tmp_path):
    write(tmp_path, a="lost-rank\n")
    (tmp_path / "ddl-lint.toml").write_text("pedantic = true\nignore = ['lost-rnk']\n", encoding="utf-8")
    result = run("check")
    assert result.code == 2
    assert "ddl-lint.toml:2: `ignore`: unknown rule `lost-rnk` (did you mean `lost-rank`?)" in result.err


def test_the_configuration_counts(run, tmp_path):
    write(tmp_path, a="lost-rank slow-rank\n")
    (tmp_path / "ddl-lint.toml").write_text(
        "ignore = ['lost-rank']\nfail-on = 'error'\n[severity]\nslow-rank = 'info'\n", encoding="utf-8"
    )
    result = run("check", "--output-format", "json")
    assert result.code == 0
    assert [item["severity"] for item in json.loads(result.out)["diagnostics"]] == ["info"]


def test_selecting_a_rule_by_name_beats_the_configured_ignore(run, tmp_path):
    write(tmp_path, a="lost-rank slow-rank\n")
    (tmp_path / "ddl-lint.toml").write_text("ignore = ['DDL201', 'DDL202']\n", encoding="utf-8")
    assert codes(run("check", "--output-format", "json", "--select", "lost-rank").out) == ["DDL201"]
    assert codes(run("check", "--output-format", "json", "--select", "DDL2").out) == []


def test_isolated_and_config(run, tmp_path):
    write(tmp_path, a="lost-rank\n")
    (tmp_path / "ddl-lint.toml").write_text("ignore = ['lost-rank']\n", encoding="utf-8")
    (tmp_path / "other.toml").write_text("select = ['slow-rank']\n", encoding="utf-8")
    assert run("check").code == 0
    assert run("check", "--isolated").code == 1
    assert run("check", "--config", "other.toml").code == 0
    assert (
        run("check", "--config", "none.toml")
        .err.strip()
        .endswith("none.toml: cannot be read: No such file or directory")
    )
    assert run("check", "--config", "other.toml", "--isolated").code == 2


def test_exclude_is_relative_to_the_working_directory(run, engine, tmp_path, monkeypatch):
    (tmp_path / "ddl-lint.toml").write_text("", encoding="utf-8")
    inner = tmp_path / "src" / "gen"
    inner.mkdir(parents=True)
    write(inner, a="x\n")
    write(tmp_path / "src", b="x\n")
    monkeypatch.chdir(tmp_path / "src")
    run("check", "--exclude", "gen/a.py")
    assert [path.name for path in engine.calls[-1]["paths"]] == ["b.py"]
    run("check", "--isolated", ".", "--exclude", "./gen")
    assert [path.name for path in engine.calls[-1]["paths"]] == ["b.py"]


def test_target(run, engine, tmp_path):
    write(tmp_path, a="x\n")
    (tmp_path / "ddl-lint.toml").write_text("target = ['torch==2.1', 'deepspeed==0.14']\n", encoding="utf-8")
    run("check", "--target", "torch==2.4")
    assert engine.calls[-1]["settings"][0].target == {"torch": "2.4", "deepspeed": "0.14"}
    result = run("check", "--target", "torch>2")
    assert result.code == 2
    assert "expected package==version" in result.err


def test_stdin(run, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"\xef\xbb\xbflost-rank\n")))
    result = run("check", "--stdin-filename", "src/a.py", "--output-format", "concise")
    assert result.code == 1
    assert result.out.startswith("src/a.py:1:1: error DDL201")


def test_stdin_without_a_name(run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"x\n")))
    assert run("check", "-").code == 0


def test_stdin_that_is_no_text(run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"x = '\xff'\n")))
    result = run("check", "-")
    assert result.code == 2
    assert "Traceback" not in result.err


def test_stdin_and_paths_exclude_each_other(run):
    assert run("check", "--stdin-filename", "a.py", "src").code == 2


def test_output_file(run, tmp_path):
    write(tmp_path, a="lost-rank\n")
    result = run("check", "--output-format", "json", "--output-file", "out.json")
    assert result.out == ""
    assert codes((tmp_path / "out.json").read_text(encoding="utf-8")) == ["DDL201"]
    result = run("check", "--output-file", "no/such/folder/out.txt")
    assert result.code == 2
    assert "cannot be written" in result.err


def test_statistics(run, tmp_path):
    write(tmp_path, a="slow-rank\n", b="slow-rank lost-rank\n")
    result = run("check", "--statistics")
    assert (result.code, result.err) == (1, "")
    assert result.out.startswith(
        "     2  DDL202  slow-rank  warning\n     1  DDL201  lost-rank  error\nFound 1 error and 2 warnings in 2 files."
    )
    result = run("check", "--statistics", "--output-format", "json")
    assert sorted(codes(result.out)) == ["DDL201", "DDL202", "DDL202"]
    assert json.loads(result.out)["statistics"] == {
        "total": 3,
        "severities": {"error": 1, "warning": 2, "info": 0},
        "fixable": {"safe": 0, "unsafe": 0},
        "rules": [
            {
                **{"code": "DDL202", "name": "slow-rank", "count": 2},
                "severities": {"error": 0, "warning": 2, "info": 0},
                "fixable": {"safe": 0, "unsafe": 0},
            },
            {
                **{"code": "DDL201", "name": "lost-rank", "count": 1},
                "severities": {"error": 1, "warning": 0, "info": 0},
                "fixable": {"safe": 0, "unsafe": 0},
            },
        ],
    }
    result = run("check", "--statistics", "--output-format", "github")
    assert "2  DDL202" in result.err
    assert run("check", "--statistics", "--select", "small-talk").out == "No problems found in 2 files.\n"


def test_timing(run, tmp_path):
    write(tmp_path, a="lost-rank\n")
    plain, timed = run("check"), run("check", "--timing")
    assert (timed.code, timed.out) == (plain.code, plain.out)
    assert "s of CPU time" in timed.err
    for stage in ("start", "discover", "output", "rest"):
        assert f"  {stage}\n" in timed.err


def test_quiet_and_verbose(run, tmp_path):
    write(tmp_path, a="x\n")
    assert run("check", "--quiet") == (0, "", "")
    assert "1 files are to be checked" in run("check", "--verbose").err


def test_colour_only_when_asked_for(run, tmp_path, monkeypatch):
    write(tmp_path, a="lost-rank\n")
    assert "\x1b" not in run("check").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" in run("check").out
    assert "\x1b" not in run("check", "--output-format", "json").out
    run("check", "--output-file", "out.txt")
    assert "\x1b" not in (tmp_path / "out.txt").read_text(encoding="utf-8")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("check").out


def test_a_rule_that_cannot_be_used_costs_that_rule_only(run, engine, monkeypatch, tmp_path):
    mistakes = ["pack/rule.yaml:3: `severity`: must not be empty"]
    known = rules.installed()
    left_out = replace(known.rules[1], info=replace(known.rules[1].info, code="ACME101", name="broken-rule"))
    found = rules.Installed(known.rules, [left_out], mistakes)
    monkeypatch.setattr(rules, "installed", lambda storage=None: found)
    write(tmp_path, train="lost-rank\n")
    result = run("check", "--ignore", "broken-rule")
    assert result.code == 2
    assert "DDL201" in result.out
    assert result.err == f"error: not all rules can be used:\n  {mistakes[0]}\n"
    listed = run("rules")
    assert listed.code == 2
    assert "lost-rank" in listed.out and "broken-rule" not in listed.out
