"""What a finding is known by: what may change around it, and what may not."""

from __future__ import annotations

import json

import pytest

from ddl_lint.output import render
from ddl_lint.output.fingerprints import fingerprints
from reports import at, document, finding, notebook

TRAIN = """\
import torch


class Trainer:
    def fit(self):
        loader = DataLoader(data, sampler=sampler)
        dist.barrier()

    def test(self):
        dist.barrier()


dist.barrier()
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def prints(text: str, part: str = "dist.barrier()", nth: int = 0, **fields):
    doc = document(text)
    return fingerprints([finding(at(doc, part, nth), **fields)], {doc.path: doc})[0]


def test_its_parts():
    found = prints(TRAIN, "DataLoader(data, sampler=sampler)")
    assert (found.rule, found.file, found.function, found.code, found.ordinal) == (
        *("DDL201", "train.py", "Trainer.fit", "DataLoader"),
        0,
    )
    assert [prints(TRAIN, nth=nth).function for nth in range(3)] == ["Trainer.fit", "Trainer.test", ""]


SAME = {
    "lines above": lambda text: "# A comment.\nimport os\n\n\n" + text,
    "other indentation": lambda text: text.replace("    ", "  "),
    "tabs": lambda text: text.replace("    ", "\t"),
    "windows": lambda text: text.replace("\n", "\r\n"),
    "a neighbour that is renamed": lambda text: text.replace("loader", "batches").replace("sampler", "shards"),
    "a statement beside it": lambda text: text.replace("        dist", "        log(1)\n        dist"),
    "another function before it": lambda text: text.replace("    def fit", "    def plan(self): ...\n\n    def fit"),
    "a comment": lambda text: text.replace("dist.barrier()", "dist.barrier()  # all ranks"),
}


@pytest.mark.parametrize("change", SAME.values(), ids=SAME)
@pytest.mark.parametrize("nth", range(3))
def test_what_may_change_around_it(change, nth):
    assert prints(change(TRAIN), nth=nth) == prints(TRAIN, nth=nth)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("if rank==0 and  x:\n    f()", "if rank == 0 and x:\n    f()"),
        ("f(a, b)", "f(\n    a,\n    b,\n)"),
        ("f( 'x' )", 'f("x")'),
        ("x = a + \\\n    b", "x = a + b"),
    ],
)
def test_another_layout_is_the_same_code(one, other):
    assert prints(one, one.partition(":")[0]) == prints(other, other.partition(":")[0])


@pytest.mark.parametrize(
    ("one", "other"),
    [("if rank == 0: x", "if rank == 1: x"), ("f(a)", "g(a)"), ("not x", "notx"), ("a = 'b c'", "a = 'bc'")],
)
def test_other_code_is_another_finding(one, other):
    assert prints(one, one.partition(":")[0]) != prints(other, other.partition(":")[0])


def test_another_rule_file_or_function_is_another_finding():
    here = prints(TRAIN)
    assert here != prints(TRAIN, code="DDL202")
    assert here != prints(TRAIN.replace("fit", "train"))
    doc = document(TRAIN, "other.py")
    assert fingerprints([finding(at(doc, "dist.barrier()"))], {doc.path: doc})[0] != here


def test_equal_findings_are_counted_in_the_order_of_the_file():
    doc = document("f()\nf()\nf()\n")
    found = [finding(at(doc, "f()", nth)) for nth in (2, 0, 1)]
    assert [each.ordinal for each in fingerprints(found, {doc.path: doc})] == [2, 0, 1]


def test_a_message_may_be_written_anew():
    assert prints(TRAIN, message="one") == prints(TRAIN, message="other")


def test_text_that_is_no_python():
    doc = document("steps:\n  - run:   torchrun  train.py\n", "ci.yaml", kind="text")
    [found] = fingerprints([finding(at(doc, "torchrun  train.py"))], {doc.path: doc})
    assert (found.function, found.code) == ("", "torchrun train.py")


def test_cells_of_a_notebook_may_move():
    code = "def fit():\n    dist.barrier()"
    one, other = notebook("import torch", code), notebook("import torch", "x = 1", "y = 2", code)
    found = [fingerprints([finding(at(doc, "dist"))], {doc.path: doc})[0] for doc in (one, other)]
    assert found[0] == found[1]
    assert found[0].function == "fit"


@pytest.mark.parametrize(
    "text", ["def f(:\n  x = (((\n dist.barrier()", "'''\ndist.barrier()", "\\\n dist.barrier() \\"]
)
def test_broken_code_has_one_as_well(text):
    assert prints(text).code == "dist.barrier"


def test_it_is_the_same_in_all_formats():
    doc = document(TRAIN)
    value = prints(TRAIN).value

    def rendered(format: str):
        return json.loads(render([finding(at(doc, "dist.barrier()"))], {doc.path: doc}, format))

    assert rendered("json")["diagnostics"][0]["fingerprint"] == value
    assert rendered("jsonl")["fingerprint"] == value
    assert rendered("gitlab")[0]["fingerprint"] == value
    assert rendered("sarif")["runs"][0]["results"][0]["partialFingerprints"] == {
        "ddlLint/v1": value,
        "primaryLocationLineHash": f"{value}:1",
    }
