"""Notebooks: cells are checked together and shown one by one; no edit goes over the end of a cell."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from asking import actions, codes, edited, edits_of, findings, pulled
from raw_client import PULLING, PUSHING, Message, RawClient
from server_programs import SAMPLING, Start

pytestmark = pytest.mark.slow

NOTEBOOKS: Message = {"notebookDocument": {"synchronization": {"dynamicRegistration": False}}}
HEAD, _, REST = SAMPLING.partition("def main():\n")
BODY = "".join(line.removeprefix("    ") for line in REST.partition("\n\nif __name__")[0].splitlines(keepends=True))
LOOP = BODY.index("for epoch")
CELLS = ["%matplotlib inline\n" + HEAD, "# Text", BODY[:LOOP], BODY[LOOP:].rstrip()]
"""The program in three cells of code and one of text; the finding is in the last one."""


def cell(number: int, kind: int = 2) -> Message:
    return {"kind": kind, "document": uri_of(number)}


def uri_of(number: int) -> str:
    return f"vscode-notebook-cell:/place/a.ipynb#W{number}"


def item(number: int, text: str, language: str = "python") -> Message:
    return {"uri": uri_of(number), "languageId": language, "version": 1, "text": text}


def opened(client: RawClient, folder: Path, texts: list[str] = CELLS) -> str:
    uri = (folder / "learn.ipynb").as_uri()
    kinds = [1 if text.startswith("# Text") else 2 for text in texts]
    client.notify(
        "notebookDocument/didOpen",
        {
            "notebookDocument": {
                "uri": uri,
                "notebookType": "jupyter-notebook",
                "version": 1,
                "cells": [cell(number, kind) for number, kind in enumerate(kinds)],
            },
            "cellTextDocuments": [
                item(number, text) for number, (text, kind) in enumerate(zip(texts, kinds, strict=True)) if kind == 2
            ],
        },
    )
    return uri


def changed(client: RawClient, uri: str, version: int, **cells: Any) -> None:
    params = {"notebookDocument": {"uri": uri, "version": version}, "change": {"cells": cells}}
    client.notify("notebookDocument/didChange", params)


def test_a_finding_stands_in_its_cell(join: Start, project: Path):
    client = join({**PUSHING, **NOTEBOOKS})
    opened(client, project)
    (found,) = findings(client, uri_of(3), bool, pulls=False)
    assert found["source"] == "ddl-lint"
    assert found["range"]["start"]["line"] == 0
    for number in (0, 2):
        assert client.published[uri_of(number)].message["params"]["diagnostics"] == []
    assert uri_of(1) not in client.published


def test_cells_are_pulled_one_by_one(join: Start, project: Path):
    client = join({**PULLING, **NOTEBOOKS})
    opened(client, project)
    (found,) = findings(client, uri_of(3), bool, pulls=True)
    assert found["range"]["start"]["line"] == 0
    report = pulled(client, uri_of(3))
    assert pulled(client, uri_of(0))["items"] == []
    assert pulled(client, uri_of(3), report["resultId"])["kind"] == "unchanged"


def test_a_fix_stays_in_its_cell(join: Start, project: Path):
    client = join({**PUSHING, **NOTEBOOKS})
    opened(client, project)
    findings(client, uri_of(3), bool, pulls=False)
    fix, silence, *_ = actions(client, uri_of(3))
    assert list(edits_of(fix)) == [uri_of(3)]
    after = edited(CELLS[3], edits_of(fix)[uri_of(3)])
    assert after == CELLS[3].replace(":\n", ":\n    sampler.set_epoch(epoch)\n", 1)
    assert "# ddl-lint: ignore[" in edited(CELLS[3], edits_of(silence)[uri_of(3)])
    assert actions(client, uri_of(2), only=["quickfix"]) == []


def test_fix_all_has_its_own_kind_in_notebooks(join: Start, project: Path):
    client = join({**PUSHING, **NOTEBOOKS})
    opened(client, project)
    findings(client, uri_of(3), bool, pulls=False)
    assert actions(client, uri_of(3), only=["source.fixAll"]) == []
    (action,) = actions(client, uri_of(0), only=["notebook.source.fixAll"])
    assert action["kind"] == "notebook.source.fixAll.ddl-lint"
    assert list(edits_of(action)) == [uri_of(3)]
    after = edited(CELLS[3], edits_of(action)[uri_of(3)])
    assert after == CELLS[3].replace(":\n", ":\n    sampler.set_epoch(epoch)\n", 1)


def test_edits_at_the_end_of_a_cell_stay_in_it(join: Start, project: Path):
    # Without a line end behind its last statement, the joined text has one that the cell has not.
    client = join({**PUSHING, **NOTEBOOKS})
    texts = [*CELLS[:3], CELLS[3], "x = 1"]
    opened(client, project, texts)
    findings(client, uri_of(3), bool, pulls=False)
    silence = next(each for each in actions(client, uri_of(3)) if each["title"].startswith("Ignore"))
    after = edited(CELLS[3], edits_of(silence)[uri_of(3)])
    assert len(after.splitlines()) == len(CELLS[3].splitlines())


def test_text_of_a_cell_changes(join: Start, project: Path):
    client = join({**PUSHING, **NOTEBOOKS})
    uri = opened(client, project)
    findings(client, uri_of(3), bool, pulls=False)
    end = {"line": 1, "character": 0}
    content = {
        "document": {"uri": uri_of(3), "version": 2},
        "changes": [{"range": {"start": end, "end": end}, "text": "    sampler.set_epoch(epoch)\n"}],
    }
    changed(client, uri, 2, textContent=[content])
    findings(client, uri_of(3), lambda found: not found, pulls=False)
    assert client.published[uri_of(3)].message["params"]["version"] == 2


def test_cells_come_go_and_move(join: Start, project: Path):
    client = join({**PUSHING, **NOTEBOOKS})
    uri = opened(client, project)
    findings(client, uri_of(3), bool, pulls=False)
    # The cell with the loop goes first away, then it comes back above everything else.
    gone = {"array": {"start": 3, "deleteCount": 1, "cells": []}, "didClose": [{"uri": uri_of(3)}]}
    changed(client, uri, 2, structure=gone)
    findings(client, uri_of(3), lambda found: not found, pulls=False)
    back = {"array": {"start": 3, "deleteCount": 0, "cells": [cell(4)]}, "didOpen": [item(4, CELLS[3])]}
    changed(client, uri, 3, structure=back)
    findings(client, uri_of(4), bool, pulls=False)
    swapped = {"array": {"start": 0, "deleteCount": 4, "cells": [cell(4), cell(0), cell(2)]}}
    changed(client, uri, 4, structure=swapped)
    findings(client, uri_of(4), lambda found: not found, pulls=False)


def test_cells_in_other_languages_are_left_out(join: Start, project: Path):
    client = join({**PUSHING, **NOTEBOOKS})
    uri = opened(client, project)
    findings(client, uri_of(3), bool, pulls=False)
    sql = {"array": {"start": 0, "deleteCount": 0, "cells": [cell(9)]}, "didOpen": [item(9, "select 1 from", "sql")]}
    changed(client, uri, 2, structure=sql)
    client.wait(lambda: uri_of(9) in client.published, "findings for the new cell")
    assert client.published[uri_of(9)].message["params"]["diagnostics"] == []
    (found,) = findings(client, uri_of(3), bool, pulls=False)
    assert found["range"]["start"]["line"] == 0


def test_closing_clears_all_cells(join: Start, project: Path):
    client = join({**PUSHING, **NOTEBOOKS})
    uri = opened(client, project)
    findings(client, uri_of(3), bool, pulls=False)
    closed = {"notebookDocument": {"uri": uri}, "cellTextDocuments": [{"uri": uri_of(n)} for n in (0, 2, 3)]}
    client.notify("notebookDocument/didClose", closed)
    findings(client, uri_of(3), lambda found: not found, pulls=False)
    assert actions(client, uri_of(3)) is None


def test_an_unsaved_notebook(join: Start, project: Path):
    client = join({**PUSHING, **NOTEBOOKS})
    params = {
        "notebookDocument": {
            "uri": "untitled:Untitled-1.ipynb",
            "notebookType": "jupyter-notebook",
            "version": 1,
            "cells": [cell(0)],
        },
        "cellTextDocuments": [item(0, HEAD + BODY)],
    }
    client.notify("notebookDocument/didOpen", params)
    assert len(findings(client, uri_of(0), bool, pulls=False)) == 1


def test_a_closed_notebook_in_the_whole_workspace(start: Start, project: Path):
    cells = [
        {"cell_type": "markdown" if text.startswith("# Text") else "code", "source": text, "metadata": {}}
        for text in CELLS
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (project / "learn.ipynb").write_text(json.dumps(notebook))
    shown = {"publishDiagnostics": {"relatedInformation": True}}
    client = start({**PULLING, "textDocument": {**PULLING["textDocument"], **shown}})
    report = client.ask("workspace/diagnostic", {"previousResultIds": []})["result"]
    items = {each["uri"]: each["items"] for each in report["items"]}
    (found,) = items[(project / "learn.ipynb").as_uri()]
    assert found["message"].startswith("cell 4, line 1: ")
    assert found["range"]["start"] == {"line": 0, "character": 0}
    for related in found["relatedInformation"]:
        assert related["message"].startswith("cell ") and related["location"]["range"] == found["range"]
    assert codes([found])
