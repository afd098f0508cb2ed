"""The page of a rule as HTML: all that the text says, nothing that is loaded, nothing that a rule could put in."""

from __future__ import annotations

import shutil
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ddl_lint.pages.rule_html import rule_html
from ddl_lint.registry.rules import Rule, load_rules

RULES = {rule.name: rule for rule in load_rules()}
_EMPTY = frozenset({"meta", "br", "img"})


class Reader(HTMLParser):
    """Reads a page, and fails where an element is not closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.names: set[str] = set()
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]
        if tag not in _EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("rule", [rule for rule in RULES.values() if "hang" not in rule.info.consequences])
def test_each_page_is_complete(rule: Rule) -> None:
    page = rule_html(rule)
    reader = Reader(page)
    assert reader.open == [] and "script" not in reader.names
    assert all(link.startswith("https://github.com/") for link in reader.links)
    text = " ".join(reader.text.split())
    assert rule.name in text and rule.code in text and "Why" in text and "What to do" in text
    for case in rule.info.silent_when:
        assert " ".join(case.when.replace("`", "").split()) in text


def test_a_hang_is_shown_with_what_the_ranks_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the page is the same wherever it is made
    rule = RULES["collective-under-rank-guard"]
    page = rule_html(rule)
    reader = Reader(page)
    assert reader.open == []
    assert page.count("<svg") == 2 and "The faulty program" in reader.text and "The fixed program" in reader.text
    assert rule.folder is not None and rule.folder.name not in page and "Trace of train_orchids.py" in page


def test_the_project_that_a_rule_is_installed_in_is_no_part_of_its_programs(tmp_path: Path) -> None:
    rule = RULES["collective-under-rank-guard"]
    assert rule.folder is not None
    folder = tmp_path / "site" / rule.folder.name
    shutil.copytree(rule.folder, folder)
    (tmp_path / "pyproject.toml").touch()
    shutil.move(folder / "bad" / "metrics.py", tmp_path / "metrics.py")
    assert "<svg" not in rule_html(replace(rule, folder=folder))  # its collective is in the module that is gone
