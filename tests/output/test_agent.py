"""Findings for programs that write code."""

from __future__ import annotations

import pytest

from ddl_lint.finding import Applicability, Confidence, Edit, Evidence, Fix, Severity
from ddl_lint.output import render
from ddl_lint.program.followed import Coverage
from reports import at, document, finding, notebook


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def shown(doc, *findings, **options) -> str:
    return render(findings, {doc.path: doc}, "agent", files=3, **options)


def test_a_finding_with_its_fix():
    doc = document("import torch\n\n\nif rank == 0:\n    barrier()\n", "my train.py")
    call = at(doc, "    barrier()\n")
    fix = Fix("Move the barrier", (Edit(call, "    pass\nbarrier()\n"),), Applicability.UNSAFE, "others meet it.")
    fault = finding(
        at(doc, "barrier()"),
        "Hang: only rank 0 waits",
        evidence=(Evidence("the others go on", at(doc, "rank == 0")),),
        help="Call it on every rank.",
        fix=fix,
        consequence="hang",
    )
    assert shown(doc, fault) == (
        "# ddl-lint: 1 finding in 3 files: 1 hang\n\n"
        "## 1. my train.py:5:5 error DDL201 lost-rank\n"
        "Hang: only rank 0 waits\n"
        "- my train.py:4:4: the others go on\n"
        "Help: Call it on every rank.\n"
        "Fix (unsafe: others meet it): Move the barrier\n"
        "```diff\n"
        "--- my train.py\n"
        "+++ my train.py\n"
        "@@ -4,2 +4,3 @@\n"
        " if rank == 0:\n"
        "-    barrier()\n"
        "+    pass\n"
        "+barrier()\n"
        "```\n\n"
        "## Next\n"
        "- Make the 1 unsafe fix, once you have read its reason: "
        "`ddl-lint check --fix --unsafe-fixes --select DDL201 'my train.py'`\n"
        "- Verify: `ddl-lint check --output-format agent --select DDL201 'my train.py'` says `no problems found`.\n"
        "- Why, and when a rule is silent: `ddl-lint explain DDL201`\n"
    )


def test_nothing_found_and_what_was_not_seen():
    doc = document("fit()\n")
    assert shown(doc) == "# ddl-lint: no problems found in 3 files\n"
    cut = Coverage(doc.path, "script", "main", True, "a script", cut="40,000 statements in `fit`")
    assert shown(doc, programs=[cut]).endswith(
        "## Next\n- Not all of train.py::main was followed (stopped after 40,000 statements in `fit`): "
        "no finding there is no proof.\n"
    )


def test_without_a_fix_and_in_doubt():
    doc = document("fit()\n")
    fault = finding(at(doc, "fit()"), unfixable="two ways lead here", confidence=Confidence.MEDIUM, doubt="it may be 0")
    text = shown(doc, fault)
    assert "Check first: it may be 0\nNo fix: two ways lead here\n" in text
    assert "- Change the rest by hand, as their help says.\n" in text


def test_an_edit_of_a_notebook_is_one_of_its_cell():
    doc = notebook("import torch\nx = 1\n", "y = f(x)\nz = y\n")
    fix = Fix("Pass it", (Edit(at(doc, "f(x)"), "f(x, 2)"),), Applicability.SAFE)
    text = shown(doc, finding(at(doc, "f(x)"), fix=fix))
    assert "--- n.ipynb:cell 4\n+++ n.ipynb:cell 4\n@@ -1,2 +1,2 @@\n-y = f(x)\n+y = f(x, 2)\n z = y\n" in text


def test_code_cannot_end_the_block_that_it_is_in():
    doc = document('x = """\n```"""\nf()\n')
    fix = Fix("Pass it", (Edit(at(doc, "f()"), "f(2)"),), Applicability.SAFE)
    assert "````diff\n" in shown(doc, finding(at(doc, "f()"), fix=fix))


def test_a_rule_of_the_engine_is_verified_with_all_rules():
    doc = document("f(\n", "-odd.py")
    fault = finding(at(doc, "f("), code="DDL001", name="syntax-error", severity=Severity.ERROR)
    assert "Verify: `ddl-lint check --output-format agent -- -odd.py` says" in shown(doc, fault)
