"""The compiled index of the rules' metadata."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ddl_lint.registry import index as rule_index
from ddl_lint.registry.index import read_index
from ddl_lint.storage import user_storage


def names(package) -> list[str]:
    index = read_index({"made_up_rules": package}, user_storage())
    return [data["name"] for place, data in index.rules.items() if not place.startswith("engine/")]


def mistakes(packages) -> list[str]:
    return read_index(packages, user_storage()).mistakes


def never(*arguments):
    raise AssertionError("the YAML was read again")


def test_a_room_is_a_folder_with_a_rule_file(package, add_rule_folder):
    add_rule_folder()
    (package / "training" / "no_room").mkdir()
    (package / "models").mkdir()
    index = read_index({"made_up_rules": package}, user_storage()).rules
    assert "made_up_rules/training/lost_rank" in index
    assert "engine/DDL001" in index
    assert len(index) == 7


def test_the_yaml_is_read_once(package, add_rule_folder, monkeypatch):
    add_rule_folder()
    assert names(package) == ["lost-rank"]
    monkeypatch.setattr(rule_index, "read_rule_file", never)
    assert names(package) == ["lost-rank"]


def test_the_index_follows_changes(package, add_rule_folder):
    folder = add_rule_folder()
    names(package)
    add_rule_folder("DDL402", "slow-rank")
    assert names(package) == ["lost-rank", "slow-rank"]
    file = folder / "rule.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("Because it", "Since it all"), encoding="utf-8")
    index = read_index({"made_up_rules": package}, user_storage()).rules
    assert index["made_up_rules/training/lost_rank"]["why"].startswith("Since")
    file.unlink()
    assert names(package) == ["slow-rank"]


def test_another_version_of_the_tool_reads_anew(package, add_rule_folder, monkeypatch):
    add_rule_folder()
    names(package)
    monkeypatch.setattr(rule_index, "__version__", "99.0.0")
    monkeypatch.setattr(rule_index, "read_rule_file", never)
    with pytest.raises(AssertionError):
        names(package)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"stamp": 1}'])
def test_a_damaged_index_is_replaced(package, add_rule_folder, cache, content):
    add_rule_folder()
    names(package)
    [file] = cache.glob("rules/*")
    user_storage().write("rules", file.name, content.encode())
    assert names(package) == ["lost-rank"]
    assert file.stat().st_size > 100


def test_a_cache_that_cannot_be_written_is_no_failure(package, add_rule_folder, cache):
    add_rule_folder()
    cache.write_text("a file where the folder should be", encoding="utf-8")
    assert names(package) == ["lost-rank"]


@pytest.mark.slow
def test_a_warm_start_imports_no_yaml():
    code = (
        "import sys\nfrom ddl_lint.registry.rules import load_rules\nload_rules()\n"
        "print([name for name in ('yaml', 'libcst', 'astroid', 'ddl_lint_rules') if name in sys.modules])"
    )
    for _ in range(2):
        result = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env=os.environ
        )
    assert result.stdout == "[]\n", result.stderr


@pytest.mark.parametrize(
    ("code", "name", "message"),
    [("DDL401", "slow-rank", "`code`: DDL401 is taken by"), ("DDL001", "slow-rank", "`code`: DDL001 is taken by")],
)
def test_codes_are_given_once(package, add_rule_folder, code, name, message):
    add_rule_folder()
    add_rule_folder(code, name)
    assert names(package) == ["lost-rank"]
    [mistake] = mistakes({"made_up_rules": package})
    assert message in mistake
    assert mistake.startswith(str(package / "training" / "slow_rank" / "rule.yaml"))


def test_names_are_given_once(package, add_rule_folder, tmp_path):
    add_rule_folder()
    twin = tmp_path / "packs" / "twin"
    (twin / "training" / "lost_rank").mkdir(parents=True)
    text = (package / "training" / "lost_rank" / "rule.yaml").read_text(encoding="utf-8")
    (twin / "training" / "lost_rank" / "rule.yaml").write_text(text.replace("DDL401", "DDL402"), encoding="utf-8")
    index = read_index({"made_up_rules": package, "twin": twin}, user_storage())
    assert "`name`: lost-rank is taken by" in index.mistakes[0]
    assert "made_up_rules/training/lost_rank" in index.rules
    assert index.broken == {"twin/training/lost_rank": "DDL402"}


def test_mistakes_cost_their_own_rules_and_are_all_told(package, add_rule_folder):
    add_rule_folder("DDL401", "lost-rank", "severity: warning", "severity: wrning")
    add_rule_folder("DDL402", "slow-rank", "frameworks: [pytorch]", "frameworks: [pytorch")
    add_rule_folder("DDL403", "odd-rank")
    for _ in range(2):  # read anew, and as it was stored
        assert names(package) == ["odd-rank"]
        told = [mistake.removeprefix(str(package)) for mistake in mistakes({"made_up_rules": package})]
        assert [line.partition(": ")[0] for line in told] == [
            "/training/lost_rank/rule.yaml:8",
            "/training/slow_rank/rule.yaml:5",
        ]
