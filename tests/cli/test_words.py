"""What may stand on the command line, and what is said of a word that may not."""

from __future__ import annotations

import argparse
import re

import pytest

from ddl_lint.commands.arguments import Parser, with_command
from ddl_lint.commands.outcome import UserError
from ddl_lint.commands.parser import COMMANDS, GENERAL, command_line
from ddl_lint.commands.terminal import choose_colour


def completed(*words: str) -> list[str]:
    return with_command(words, COMMANDS, GENERAL)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("train.py", "check train.py"),
        ("src/train", "check src/train"),
        (". --fix", "check . --fix"),
        ("--select hang train.py", "check --select hang train.py"),
        ("--fix", "check --fix"),
        ("-q", "check -q"),
        ("-", "check -"),
        ("--color never train.py", "--color never check train.py"),
        ("--color=never --fix", "--color=never check --fix"),
        ("check train.py", "check train.py"),
        ("--color always rules", "--color always rules"),
        ("--explain DDL201", "--explain DDL201"),
        ("--explain=DDL201", "--explain=DDL201"),
        ("help", "--help"),
        ("help check", "check --help"),
        ("--help", "--help"),
        ("-h", "-h"),
        ("", ""),
    ],
)
def test_what_stands_in_place_of_a_command_is_for_check(words, expected, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert completed(*words.split()) == expected.split()


def test_a_file_or_folder_that_is_there_is_checked_whatever_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match="`launcher` is no command, and there is no file or folder of this name"):
        completed("launcher")
    (tmp_path / "launcher").mkdir()
    (tmp_path / "rules").mkdir()
    assert completed("launcher") == ["check", "launcher"]
    assert completed("rules") == ["rules"]
    assert completed("./rules") == ["check", "./rules"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("chekc train.py", "unknown command `chekc` (did you mean `check`?)"),
        ("tarce", "unknown command `tarce` (did you mean `trace`?)"),
        ("new_rule", "unknown command `new_rule` (did you mean `new-rule`?)"),
        ("version", "unknown command `version` (did you mean `--version`?)"),
        ("check --slect hang", "unknown option `--slect` (did you mean `--select`?)"),
        ("--slect hang", "unknown option `--slect` (did you mean `--select`?)"),
        ("check --outputformat=json", "unknown option `--outputformat` (did you mean `--output-format`?)"),
        ("trace train.py --outptu-file x", "unknown option `--outptu-file` (did you mean `--output-file`?)"),
        ("check --zzz", "unknown option `--zzz`"),
        (
            "check --fail-on eror",
            "--fail-on: unknown value `eror` (did you mean `error`?); expected `error`, `warning`,",
        ),
        ("jobs --output-format svgg", "--output-format: unknown value `svgg` (did you mean `svg`?); expected `text`,"),
        ("jobs --format svgg", "--format: unknown value `svgg` (did you mean `svg`?); expected `text`,"),
        ("check --color nevr", "--color: unknown value `nevr` (did you mean `never`?)"),
        ("check --jobs many", "-j/--jobs: expected a whole number, found `many`"),
        ("check --config a --isolated", "--isolated: not allowed with --config"),
        ("clean now", "unexpected argument `now`"),
        ("explain", "the following arguments are required: RULE"),
    ],
)
def test_a_mistake_says_what_may_be_meant(run, words, said):
    result = run(*words.split())
    assert result.code == 2
    assert result.out == ""
    assert result.err.startswith(f"error: {said}")
    assert "usage:" not in result.err


@pytest.mark.parametrize("label", ["DDL201", "ddl201", "lost-rank", "lost_rank", "Lost-Rank"])
def test_a_rule_has_many_spellings(run, tmp_path, label):
    (tmp_path / "a.py").write_text("lost-rank slow-rank\n", encoding="utf-8")
    assert "DDL202" not in (found := run("a.py", "--select", label, "--output-format", "concise").out)
    assert "DDL201" in found
    assert "DDL201" not in run("a.py", "--ignore", label).out
    assert run("explain", label).out.startswith("DDL201 lost-rank\n")
    for setting in (
        f'ignore = ["{label}"]',
        f'per-file-ignores = {{"a.py" = ["{label}"]}}',
        f'unfixable = ["{label}"]',
    ):
        (tmp_path / "ddl-lint.toml").write_text(setting, encoding="utf-8")
        assert run("a.py").code == 1, setting
    (tmp_path / "ddl-lint.toml").write_text(f'severity = {{"{label}" = "info"}}', encoding="utf-8")
    assert "info DDL201" in run("a.py").out


def test_groups_in_options_and_settings(run, tmp_path):
    (tmp_path / "a.py").write_text("lost-rank slow-rank small-talk\n", encoding="utf-8")
    concise = ("--output-format", "concise")

    def codes(*options: str) -> list[str]:
        return re.findall(r"DDL\d+", run("a.py", *concise, *options).out)

    assert codes("--select", "hang") == ["DDL201", "DDL202"]
    assert codes("--select", "Wrong_Result") == ["DDL301"]
    assert codes("--ignore", "hang") == ["DDL301"]
    assert codes("--select", "horovod") == ["DDL202"]
    assert codes("--ignore", "horovod") == ["DDL201", "DDL202", "DDL301"]
    (tmp_path / "ddl-lint.toml").write_text("[severity]\nhang = 'info'\nslow-rank = 'error'\n", encoding="utf-8")
    assert re.findall(r"(\w+) DDL20\d", run("a.py", *concise).out) == ["error", "info"]  # the worst of a line first
    (tmp_path / "ddl-lint.toml").write_text("ignore = ['hangs']\n", encoding="utf-8")
    assert "`ignore`: unknown rule `hangs` (did you mean `hang`?)" in run("a.py").err


def test_explain_of_a_group_says_how_to_list_it(run):
    result = run("explain", "Hang")
    assert (result.code, result.out) == (2, "")
    assert "`hang` is a group of rules; `ddl-lint rules --select hang` lists them" in result.err


def test_help_alone_names_the_two_commonest_commands(run):
    result = run()
    assert result.code == 2
    assert "ddl-lint check " in result.err
    assert "ddl-lint trace train.py " in result.err
    assert len(result.err.splitlines()) < 10


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_of_its_own(run, command):
    result = run(command, "--help")
    assert result.code == 0
    assert result.out.startswith(f"usage: ddl-lint {command}")
    assert "--color" in result.out
    assert "--format" not in result.out.replace("--output-format", "")


def each_parser() -> list[Parser]:
    [commands] = [action for action in command_line().actions if isinstance(action.choices, dict)]
    return list(commands.choices.values())


def test_the_old_name_of_the_format_is_known_wherever_there_is_one():
    for parser in each_parser():
        known = {flag: action for action in parser.actions for flag in action.option_strings}
        if "--output-format" in known:
            assert known["--format"].help is argparse.SUPPRESS
            assert known["--format"].choices == known["--output-format"].choices
        assert ("--format" in known) == ("--output-format" in known)


def test_colour_is_what_is_asked_for(run, tmp_path, monkeypatch):
    (tmp_path / "a.py").write_text("lost-rank\n", encoding="utf-8")
    assert "\x1b" in run("a.py", "--color", "always").out
    assert "\x1b" in run("--color=always", "a.py").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" in run("a.py", "--color", "always").out
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" in run("a.py").out
    assert "\x1b" not in run("a.py", "--color", "never").out
    choose_colour("auto")
