"""Where findings in notebooks are, for programs that know nothing of cells: the line of the JSON that is on disk."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from ddl_lint.finding import Applicability, Edit, Evidence, Fix
from ddl_lint.output import render
from reports import at, finding, notebook, notebook_file

CELLS = ("import torch\n", "net = 1\n\nmodel = DDP(\n    net)\n")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def shown():
    document, lines = notebook_file(*CELLS)
    evidence = (Evidence("see", at(document, "torch")),)
    fix = Fix("Leave it out", (Edit(at(document, "DDP"), ""),), Applicability.SAFE)
    wide = finding(at(document, "DDP(\n    net)"), evidence=evidence, fix=fix)

    def show(format: str) -> str:
        return render([wide], {document.path: document}, format)

    show.lines = lines  # type: ignore[attr-defined]
    show.first = next(number for number, line in enumerate(lines, 1) if "DDP" in line)  # type: ignore[attr-defined]
    return show


def test_sarif(shown):
    [result] = json.loads(shown("sarif"))["runs"][0]["results"]
    [location] = result["locations"]
    assert location["physicalLocation"]["region"] == {"startLine": shown.first, "endLine": shown.first + 1}
    assert location["logicalLocations"] == [{"name": "cell 2", "kind": "module"}]
    assert result["message"]["text"] == "cell 2:3:9: it is wrong\n\n[n.ipynb:cell 1:1:8](1): see"
    [other] = result["relatedLocations"]
    assert "torch" in shown.lines[other["physicalLocation"]["region"]["startLine"] - 1]
    assert "fixes" not in result  # they would be edits of the code, not of the JSON


def test_gitlab(shown):
    [issue] = json.loads(shown("gitlab"))
    assert issue["location"]["lines"] == {"begin": shown.first, "end": shown.first + 1}
    assert issue["description"] == "cell 2:3:9: it is wrong"


def test_junit(shown):
    (case,) = ElementTree.fromstring(shown("junit")).iter("testcase")
    assert case.get("line") == str(shown.first)
    assert case.get("name") == "DDL201 lost-rank at cell 2:3:9"


def test_github(shown):
    properties = shown("github").partition("::")[2].partition("::")[0]
    assert properties == f"error title=DDL201 lost-rank,file=n.ipynb,line={shown.first},endLine={shown.first + 1}"


def test_where_the_line_is_not_known_the_cell_is_said():
    """As of a notebook that an editor holds, and that is on no disk."""
    document = notebook("import torch", "model = DDP(net)")
    shown = {
        format: render([finding(at(document, "DDP"))], {document.path: document}, format)
        for format in ("sarif", "gitlab", "junit", "github")
    }
    [result] = json.loads(shown["sarif"])["runs"][0]["results"]
    assert "region" not in result["locations"][0]["physicalLocation"]
    [issue] = json.loads(shown["gitlab"])
    assert issue["location"]["lines"] == {"begin": 1, "end": 1}
    (case,) = ElementTree.fromstring(shown["junit"]).iter("testcase")
    assert case.get("line") is None
    assert "line=" not in shown["github"]
    assert all("cell 4:1:9" in text for text in shown.values())
