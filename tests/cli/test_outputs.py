"""Several outputs of one run."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest


@pytest.fixture(autouse=True)
def fault(run, tmp_path):
    (tmp_path / "a.py").write_text("lost-rank slow-rank small-talk\n", encoding="utf-8")


def test_each_format_goes_into_the_file_after_it(run):
    options = "--output-format sarif --output-file a.sarif --output-format junit --output-file a.xml"
    result = run("check", *options.split(), "--output-format", "concise")
    assert result.code == 1
    assert len(json.loads(Path("a.sarif").read_text())["runs"][0]["results"]) == 3
    assert ElementTree.parse("a.xml").getroot().get("failures") == "2"  # advice is no failure
    assert [line.split()[2] for line in result.out.splitlines()[:3]] == ["DDL201", "DDL202", "DDL301"]
    assert sorted(path.name for path in Path.cwd().iterdir()) == ["a.py", "a.sarif", "a.xml"]


def test_what_has_no_file_goes_to_stdout(run):
    result = run("check", "--output-format", "json", "--output-file", "a.json", "--output-format", "jsonl")
    assert json.loads(Path("a.json").read_text())["diagnostics"] == [
        json.loads(line) for line in result.out.splitlines()
    ]


@pytest.mark.parametrize(
    "options",
    ["--output-file a.json --output-format json", "--output-format json --output-file a.json", "--output-file a.json"],
)
def test_a_file_may_come_first(run, options):
    assert run("check", *options.split()).out == ""
    assert Path("a.json").read_text().startswith("{" if "format" in options else "a.py:1:1")


def test_a_file_for_two_outputs_is_a_mistake(run):
    options = "--output-format json --output-file x --output-format sarif --output-file x"
    result = run("check", *options.split())
    assert (result.code, result.err) == (
        2,
        "error: --output-file x is given twice; each output needs a file of its own\n",
    )


def test_one_output_that_cannot_be_written_is_told(run, tmp_path):
    result = run("check", "--output-format", "json", "--output-file", "missing/a.json")
    assert result.code == 2
    assert "missing/a.json: cannot be written" in result.err.replace("\\", "/")


def test_a_diff_is_one_output(run):
    result = run("check", "--diff", "--output-format", "json", "--output-format", "text")
    assert result.code == 2
    assert "--diff prints a diff" in result.err


def test_grouped(run, tmp_path):
    (tmp_path / "b.py").write_text("\n\n  slow-rank\n", encoding="utf-8")
    assert run("check", "--output-format", "grouped").out == (
        "a.py\n"
        "   1:1  error DDL201 lost-rank: found lost-rank\n"
        "  1:11  warning DDL202 slow-rank: found slow-rank\n"
        "  1:21  info DDL301 small-talk: found small-talk\n"
        "\n"
        "b.py\n"
        "  3:3  warning DDL202 slow-rank: found slow-rank\n"
        "\n"
        "Found 1 error, 2 warnings and 1 note in 2 files. Run `ddl-lint explain RULE` to read about a rule.\n"
    )


def test_gitlab(run):
    issues = json.loads(run("check", "--output-format", "gitlab").out)
    assert [(each["check_name"], each["severity"], each["location"]) for each in issues] == [
        ("DDL201 lost-rank", "critical", {"path": "a.py", "lines": {"begin": 1, "end": 1}}),
        ("DDL202 slow-rank", "major", {"path": "a.py", "lines": {"begin": 1, "end": 1}}),
        ("DDL301 small-talk", "info", {"path": "a.py", "lines": {"begin": 1, "end": 1}}),
    ]
    assert len({each["fingerprint"] for each in issues}) == 3


def test_junit_says_where_and_why(run):
    suite = ElementTree.fromstring(run("check", "--output-format", "junit").out).find("testsuite")
    assert suite is not None and suite.get("name") == "a.py"
    case = suite.find("testcase")
    assert case is not None and (case.get("file"), case.get("line")) == ("a.py", "1")
    failure = case.find("failure")
    assert failure is not None and failure.get("message") == "found lost-rank"
    assert failure.text == "a.py:1:1: found lost-rank"


def test_no_findings(run, tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n", encoding="utf-8")
    assert run("check", "--output-format", "gitlab").out == "[]\n"
    assert run("check", "--output-format", "jsonl").out == ""
    suite = ElementTree.fromstring(run("check", "--output-format", "junit").out)
    assert (suite.get("tests"), suite.get("failures")) == ("1", "0")
