"""What findings look like."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Applicability, Confidence, Edit, Evidence, Fix, Severity
from ddl_lint.output import render
from ddl_lint.source.document import CellSpan, Document
from ddl_lint.source.span import Location, Span

TRAIN = "import torch\n\ndef main():\n    model = DDP(net)\n    if rank == 0:\n        dist.barrier()\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def document(text: str, name: str = "train.py", **fields) -> Document:
    return Document((Path(os.getcwd()) / name).as_posix(), text, **fields)


def at(doc: Document, part: str) -> Location:
    start = doc.text.index(part)
    return Location(doc.path, start, start + len(part))


def finding(location: Location, message: str = "it is wrong", **fields) -> Diagnostic:
    stamp = {
        "code": "DDL201",
        "name": "lost-rank",
        "severity": Severity.ERROR,
        "confidence": Confidence.HIGH,
        "symptom": "hang",
        "fix_pattern": "fix behavior logic",
    }
    return Diagnostic(message=message, location=location, **{**stamp, **fields})


def shown(doc: Document, *findings: Diagnostic, format: str = "text", **options) -> str:
    return render(findings, {doc.path: doc}, format, **options)


def test_text_tells_the_story():
    doc = document(TRAIN)
    fault = finding(
        at(doc, "dist.barrier()"),
        "only rank 0 waits here",
        evidence=(Evidence("the other ranks go on", at(doc, "rank == 0")),),
        help="move the barrier out of the `if`",
        fix=Fix("Move the barrier", (), Applicability.UNSAFE, "the branch may wait on purpose", "fix behavior logic"),
        confidence=Confidence.MEDIUM,
    )
    assert shown(doc, fault, files=2) == (
        "train.py:6:9: error DDL201 lost-rank: only rank 0 waits here\n"
        "  |\n"
        "5 |     if rank == 0:\n"
        "6 |         dist.barrier()\n"
        "  |         ^^^^^^^^^^^^^^\n"
        " --> train.py:5:8: the other ranks go on\n"
        "  |\n"
        "5 |     if rank == 0:\n"
        "  |        ---------\n"
        "  = help: move the barrier out of the `if`\n"
        "  = unsafe fix: Move the barrier\n"
        "  = note: the fix is unsafe: the branch may wait on purpose\n"
        "  = note: medium confidence: check it before you change anything\n"
        "\n"
        "Found 1 error in 2 files. Run `ddl-lint explain RULE` to read about a rule.\n"
    )


def test_evidence_in_a_file_that_is_not_known_has_no_frame():
    doc = document(TRAIN)
    other = Location((Path(os.getcwd()) / "lib" / "other.py").as_posix(), 5, 6)
    text = shown(doc, finding(at(doc, "DDP"), evidence=(Evidence("set up here", other),)))
    assert " --> lib/other.py:1:1: set up here\n\n" in text


def test_the_gutter_fits_the_longest_number():
    doc = document("x = 0\n" * 120)
    first = Location(doc.path, 0, 1)
    last = Location(doc.path, 6 * 119, 6 * 119 + 1)
    lines = shown(doc, finding(first, evidence=(Evidence("then", last),))).splitlines()
    assert lines[1:4] == ["    |", "  1 | x = 0", "    | ^"]
    assert lines[4:8] == ["   --> train.py:120:1: then", "    |", "120 | x = 0", "    | -"]


def test_concise():
    doc = document(TRAIN)
    text = shown(doc, finding(at(doc, "DDP")), format="concise", files=1)
    assert text.splitlines()[0] == "train.py:4:13: error DDL201 lost-rank: it is wrong"
    assert len(text.splitlines()) == 2


def test_findings_are_sorted_by_file_line_severity_and_size():
    one, two = document("a b\nc\n", "one.py"), document("a\n", "two.py")
    findings = [
        finding(at(two, "a")),
        finding(at(one, "c")),
        finding(at(one, "a"), severity=Severity.WARNING),
        finding(at(one, "a b")),
        finding(at(one, "b")),
        finding(at(one, "a"), code="DDL301"),
        finding(at(one, "a"), code="DDL105"),
    ]
    text = render(findings, {one.path: one, two.path: two}, "concise", summary=False)
    assert [" ".join(line.split()[:3]) for line in text.splitlines()] == [
        "one.py:1:1: error DDL105",
        "one.py:1:1: error DDL301",
        "one.py:1:3: error DDL201",
        "one.py:1:1: error DDL201",
        "one.py:1:1: warning DDL201",
        "one.py:2:1: error DDL201",
        "two.py:1:1: error DDL201",
    ]


@pytest.mark.parametrize(
    ("severities", "files", "expected"),
    [
        ("", 3, "No problems found in 3 files."),
        ("", None, "No problems found."),
        ("e", 1, "Found 1 error in 1 file."),
        ("eeew", 12, "Found 3 errors and 1 warning in 12 files."),
        ("wi", None, "Found 1 warning and 1 note."),
        ("ewwiii", 2, "Found 1 error, 2 warnings and 3 notes in 2 files."),
    ],
)
def test_summary(severities, files, expected):
    doc = document("x\n")
    kinds = {severity.value[0]: severity for severity in Severity}
    findings = [finding(Location(doc.path, 0, 1), severity=kinds[letter]) for letter in severities]
    last = shown(doc, *findings, format="concise", files=files).splitlines()[-1]
    assert last.removesuffix(" Run `ddl-lint explain RULE` to read about a rule.") == expected


@pytest.mark.parametrize(
    ("text", "part", "code", "marks"),
    [
        ("\tx = DDP(m)", "DDP(m)", "    x = DDP(m)", "        ^^^^^^"),
        ("a\tx = DDP", "DDP", "a   x = DDP", "        ^^^"),
        ("f('日本', DDP)", "DDP", "f('日本', DDP)", "          ^^^"),
        ("f('日本')", "'日本'", "f('日本')", "  ^^^^^^"),
        ("f('e\u0301', DDP)", "DDP", "f('e\u0301', DDP)", "       ^^^"),
        ("f('\x1b[2J', DDP)", "DDP", "f('\ufffd[2J', DDP)", "          ^^^"),
        ("f(\n    1,\n)", "f(\n    1,\n)", "f(", "^^ ..."),
        ("x = 1\r\ny = 2", "y", "y = 2", "^"),
    ],
)
def test_the_marks_stand_below_the_place(text, part, code, marks):
    doc = document(text)
    lines = shown(doc, finding(at(doc, part)), summary=False).splitlines()
    where = next(number for number, line in enumerate(lines) if "^" in line)
    assert lines[where - 1 : where + 1] == [f"{lines[where - 1][0]} | {code}", f"  | {marks}"]


def test_an_empty_range_gets_one_mark():
    doc = document("x = \n")
    lines = shown(doc, finding(Location(doc.path, 4, 4))).splitlines()
    assert lines[2:4] == ["1 | x =", "  |     ^"]


@pytest.mark.parametrize("before", [0, 10, 90, 200, 3000])
def test_long_lines_are_cut_around_the_place(before):
    doc = document("a" * before + "(DDP)" + "b" * 3000)
    code, marks = shown(doc, finding(at(doc, "DDP"))).splitlines()[2:4]
    assert len(code) <= 4 + 140
    assert code.endswith("…")
    start = marks.index("^")
    assert code[start : start + 3] == "DDP"
    assert marks.count("^") == 3


def test_a_long_place_is_marked_as_far_as_it_is_shown():
    doc = document("x = " + "y" * 500)
    code, marks = shown(doc, finding(at(doc, "y" * 500))).splitlines()[2:4]
    assert len(marks) < len(code) <= 4 + 140


def test_colour():
    doc = document(TRAIN)
    text = shown(doc, finding(at(doc, "DDP")), colour=True)
    assert "\x1b[1;31merror DDL201\x1b[0m" in text
    assert "\x1b" not in shown(doc, finding(at(doc, "DDP")))


def notebook() -> Document:
    text = "import x\nm = DDP(x)\n"
    cells = (CellSpan(2, "a", Span(0, 9)), CellSpan(5, "b", Span(9, len(text))))
    return document(text, "n.ipynb", kind="notebook", cells=cells)


def test_places_in_a_notebook():
    doc = notebook()
    text = shown(doc, finding(at(doc, "DDP")), summary=False)
    assert text.splitlines() == [
        "n.ipynb:cell 5:1:5: error DDL201 lost-rank: it is wrong",
        "  |",
        "1 | m = DDP(x)",
        "  |     ^^^",
        "",
    ]
    [item] = json.loads(shown(doc, finding(at(doc, "DDP")), format="json"))["diagnostics"]
    assert item["cell"] == 5
    assert item["range"] == {"start": {"line": 1, "column": 5}, "end": {"line": 1, "column": 8}}


def test_json():
    doc = document(TRAIN)
    edit = Edit(Location(doc.path, 0, 0), "import os\n")
    fault = finding(
        at(doc, "DDP"),
        evidence=(Evidence("see here", at(doc, "net"), "rank 0"),),
        fix=Fix("Import os", (edit,), Applicability.UNSAFE, "a guess"),
        help="mend it",
    )
    content = json.loads(shown(doc, fault, format="json"))
    assert re.fullmatch("[0-9a-f]{32}", content["diagnostics"][0].pop("fingerprint"))
    assert content == {
        "version": 1,
        "diagnostics": [
            {
                "code": "DDL201",
                "name": "lost-rank",
                "message": "it is wrong",
                "severity": "error",
                "confidence": "high",
                "consequence": None,
                "doubt": None,
                "met_in": None,
                "jobs": [],
                "file": "train.py",
                "range": {"start": {"line": 4, "column": 13}, "end": {"line": 4, "column": 16}},
                "ranks": None,
                "related": [
                    {
                        "message": "see here",
                        "file": "train.py",
                        "range": {"start": {"line": 4, "column": 17}, "end": {"line": 4, "column": 20}},
                        "ranks": "rank 0",
                    }
                ],
                "symptom": "hang",
                "fix_pattern": "fix behavior logic",
                "help": "mend it",
                "fix": {
                    "title": "Import os",
                    "applicability": "unsafe",
                    "reason": "a guess",
                    "edits": [
                        {
                            "file": "train.py",
                            "range": {"start": {"line": 1, "column": 1}, "end": {"line": 1, "column": 1}},
                            "text": "import os\n",
                        }
                    ],
                },
            }
        ],
        "programs": [],
    }


def test_json_without_findings():
    assert json.loads(render([], {}, "json")) == {"version": 1, "diagnostics": [], "programs": []}


def test_a_file_outside_the_working_directory_keeps_its_path(tmp_path):
    fault = finding(Location(tmp_path.parent.as_posix() + "/other.py", 0, 0), code="DDL003")
    [item] = json.loads(render([fault], {}, "json"))["diagnostics"]
    assert item["file"] == tmp_path.parent.as_posix() + "/other.py"
    assert item["range"]["start"] == {"line": 1, "column": 1}


def test_github():
    doc = document(TRAIN)
    fault = finding(
        at(doc, "DDP"),
        "100% wrong,\nreally",
        evidence=(Evidence("see", at(doc, "net")),),
        severity=Severity.INFO,
        help="mend it",
    )
    assert shown(doc, fault, format="github") == (
        "::notice title=DDL201 lost-rank,file=train.py,line=4,endLine=4,col=13,endColumn=16::"
        "100%25 wrong,\\nreally%0Atrain.py:4:17: see%0Ahelp: mend it\n"
    )


def test_github_says_the_cell_in_words():
    doc = notebook()
    assert shown(doc, finding(at(doc, "DDP")), format="github") == (
        "::error title=DDL201 lost-rank,file=n.ipynb::n.ipynb:cell 5:1:5: it is wrong\n"
    )


def test_github_escapes_properties():
    doc = document("DDP\n", "a,b:c.py")
    assert ",file=a%2Cb%3Ac.py," in shown(doc, finding(at(doc, "DDP")), format="github")
