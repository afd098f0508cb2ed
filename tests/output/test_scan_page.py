"""The page of a scan: what it says of each repository, and what it leaves out."""

from __future__ import annotations

import re

import pytest

from ddl_lint.output.scan import Fixed, Repository, page_of
from reports import at, document, finding


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def repository(name: str, **fields) -> Repository:
    empty = {"files": 3, "findings": (), "documents": {}, "fingerprints": (), "owners": ()}
    return Repository(folder=name, **{**empty, **fields})


def with_finding(name: str, **fields) -> Repository:
    doc = document("dist.barrier()\n", f"{name}/train.py")
    found = finding(at(doc, "dist"), "Hang: <b>it</b> waits in `barrier`", consequence="hang")
    return repository(
        f"{doc.path.removesuffix('/train.py')}",
        **{"findings": (found,), "documents": {doc.path: doc}, "fingerprints": ("f1",), "owners": ((),), **fields},
    )


def heads(page: str) -> list[str]:
    return re.findall(r"<th[^>]*>([^<]*)</th>", page)


def test_what_is_clean_is_named_below_and_has_no_row():
    page = page_of([repository("calm"), with_finding("busy")], "list.txt")
    assert "1 finding in 2 repositories" in page
    assert page.count("<tr><td>") == 1 and ">busy</a>" in page
    assert "<summary>1 repository without findings</summary>\n<ul><li>calm</li></ul>" in page


def test_a_column_that_would_be_empty_is_left_out():
    assert heads(page_of([with_finding("busy")], "")) == ["repository", "hang", "files"]
    fixed = (Fixed("wrong-result", "DDL402", "train.py", "Wrong result: each epoch has the same order"),)
    later = with_finding("busy", new=frozenset({"f1"}), fixed=fixed, is_first=False, owners=(("@team",),))
    assert heads(page_of([later], "")) == ["repository", "hang", "new", "fixed", "files", "owners"]


def test_a_finding_begins_with_what_it_costs_and_its_file_is_relative_to_its_repository():
    page = page_of([with_finding("busy", new=frozenset({"f1"}), is_first=False, revision="0123456789abcdef")], "")
    told = '<mark>new</mark> <span class="word">error</span> Hang: &lt;b&gt;it&lt;/b&gt; waits in <code>barrier</code>'
    assert told in page
    assert '<span class="place dim">train.py:1:1 DDL201 lost-rank</span>' in page
    assert "commit 0123456789ab<" in page


def test_what_was_not_checked_is_said_first():
    page = page_of([with_finding("busy"), repository("broken", problems=["its settings cannot be read"])], "")
    assert page.index("Not checked completely: broken.") < page.index("<table>")
    assert ">broken: not checked<" in page and "0 findings" not in page
    assert '<span class="word">not checked</span> its settings cannot be read' in page


def test_an_entry_of_the_list_that_is_no_folder_is_named():
    page = page_of([repository("calm")], "list.txt", ["list.txt:2: `<gone>` is not a folder"])
    assert '<p class="failed">Not checked: list.txt:2: <code>&lt;gone&gt;</code> is not a folder</p>' in page


def test_without_any_finding_there_is_no_table():
    assert "<table>" not in page_of([repository("calm")], "")
