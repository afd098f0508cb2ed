"""Findings that the engine makes itself: rules that fail, budgets that end, suppression comments."""

from __future__ import annotations

import pytest

from ddl_lint.registry.rules import Rule, load_rules

FAULTY = "import torch.distributed as dist\n\nprint(dist.get_rank())\n"
LONG = (
    "import torch\nimport torch.distributed as dist\n"
    "def prepare():\n" + "    x = 1;" + " x = 1;" * 59 + "\n\n"
    "def work():\n" + "    y = 2;" + " y = 2;" * 39 + "\n"
    "    y = 3\n\n"
    "prepare(); work()\nprint(dist.get_rank())\n"
)


@pytest.fixture
def replace_check(monkeypatch):
    """Put another function in place of the check of a rule."""
    modules = {rule.name: rule.module for rule in load_rules()}
    really = Rule.check.fget

    def replace(name, function):
        checks = {modules[name]: function}
        monkeypatch.setattr(Rule, "check", property(lambda rule: checks.get(rule.module) or really(rule)))

    return replace


def test_a_rule_that_crashes(project, check, replace_check):
    def crash(project):
        raise KeyError("rank")

    replace_check("wrong-device-index", crash)
    gpu = "import torch.distributed as dist\n\ndist.init_process_group('nccl')\ndist.destroy_process_group()\n"
    project({"ok.py": FAULTY, "gpu.py": gpu})
    result = check()
    assert result.code == 1
    assert result.found == [("gpu.py", "DDL002"), ("ok.py", "DDL201")]
    crash_finding = result.diagnostics[0]
    assert crash_finding["message"] == "the rule `wrong-device-index` failed on this file: KeyError: 'rank'"
    assert crash_finding["severity"] == "error"
    assert crash_finding["symptom"] is None
    assert check("--ignore", "wrong-device-index").found == [("ok.py", "DDL201")]


def test_what_a_rule_has_found_before_it_crashes_is_kept(project, check, replace_check):
    checks = {rule.name: rule.check for rule in load_rules() if rule.name == "missing-init-process-group"}

    def crash_late(run):
        yield from checks["missing-init-process-group"](run)
        if run.run.path.endswith("b.py"):
            raise RuntimeError("b is not to my liking")

    replace_check("missing-init-process-group", crash_late)
    project({"a.py": FAULTY, "b.py": FAULTY, "c.py": FAULTY})
    result = check()
    assert set(result.found) >= {("a.py", "DDL201"), ("b.py", "DDL002")}
    assert [file for file, code in result.found if code == "DDL002"] == ["b.py"]


def test_a_rule_that_yields_nonsense_is_a_crash(project, check, replace_check):
    replace_check("missing-init-process-group", lambda project: ["what is this"])
    project({"ok.py": FAULTY})
    assert check().found == [("ok.py", "DDL002")]


def test_an_exhausted_budget_is_one_note_for_a_script(project, check):
    project({"long.py": LONG, "ok.py": FAULTY, "ddl-lint.toml": "max-steps = 100\n"})
    result = check()
    assert result.found == [("long.py", "DDL006"), ("ok.py", "DDL201")]
    note = result.diagnostics[0]
    assert note["severity"] == "info"
    assert note["message"] == (
        "Partly checked: the analysis stopped after 100 statements in `work` (long.py:7); code after it was not checked"
    )
    assert note["range"]["start"]["line"] == 7
    assert [each["message"] for each in note["related"]] == ["`prepare` took most of the budget"]
    assert check("long.py").code == 0
    assert check("long.py", "--ignore", "DDL006").found == []
    assert check("long.py", "--max-steps", "1000").found == [("long.py", "DDL201")]


def test_a_script_that_takes_too_much_time_is_left(project, check):
    project({"long.py": LONG + "x = 1\n" * 3000})
    assert ("long.py", "DDL006") not in check("long.py").found
    note = check("long.py", "--max-seconds", "0.001").diagnostics[-1]
    assert (note["code"], note["message"].startswith("Partly checked: the analysis stopped after 0.001 seconds")) == (
        "DDL006",
        True,
    )


def test_a_long_program_is_no_budget_case(project, check):
    project({"long.py": LONG})
    assert check().found == [("long.py", "DDL201")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("print(dist.get_rank())  # ddl-lint: ignore[missing-init-process-group] the caller does it", []),
        ("print(dist.get_rank())  # ddl-lint: ignore[DDL201, missing-set-epoch]", ["DDL004"]),
        ("# ddl-lint: ignore[DDL201]\nprint(\n    dist.get_rank()\n)", []),
        ("print(dist.get_rank())  # noqa: DDL201", []),
        ("print(dist.get_rank())  # noqa", []),
        ("print(dist.get_rank())  # noqa: E501", ["DDL201"]),
        ("print(dist.get_rank())  # ddl-lint: ignore[missing-set-epoch]", ["DDL201", "DDL004"]),
        ("print(dist.get_rank())  # ddl-lint: ignore[missing-init]", ["DDL201", "DDL005"]),
        ("print(dist.get_rank())  # ddl-lint: ignore", ["DDL201", "DDL005"]),
        ("print(dist.get_rank())  # ddl-lint: ignor[DDL201]", ["DDL201", "DDL005"]),
        ("text = '# ddl-lint: ignore[DDL201]'; print(dist.get_rank())", ["DDL201"]),
        ("print(dist.get_rank())  # ddl-lint: ignore[DDL201, DDL004, missing-set-epoch]", []),
    ],
)
def test_suppression_comments(project, check, text, expected):
    project({"a.py": f"import torch.distributed as dist\n\n{text}\n"})
    assert [item["code"] for item in check().diagnostics] == expected


def test_a_comment_for_the_whole_file(project, check):
    head = "# ddl-lint: ignore-file[DDL201] started by a wrapper\n"
    project({"a.py": head + FAULTY, "b.py": head + "import torch\n", "late.py": FAULTY + head})
    assert check().found == [("b.py", "DDL004"), ("late.py", "DDL201"), ("late.py", "DDL005")]


def test_comments_for_rules_that_were_not_run_are_not_judged(project, check):
    project({"a.py": "import torch\n\nx = 1  # ddl-lint: ignore[missing-set-epoch]\n"})
    assert check("--ignore", "missing-set-epoch").found == []
    assert check().found == [("a.py", "DDL004")]


def test_comments_are_judged_in_files_that_use_no_framework(project, check):
    project({"a.py": "x = 1  # ddl-lint: ignore[missing-set-epoch]\n"})
    assert check().found == [("a.py", "DDL004")]
