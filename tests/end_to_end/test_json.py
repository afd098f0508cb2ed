"""The JSON contract, field by field, on the findings of every format of file and every place of evidence."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from ddl_lint.registry.consequences import CONSEQUENCES
from ddl_lint.registry.rules import load_rules

POSITION = {
    "type": "object",
    "additionalProperties": False,
    "required": ["line", "column"],
    "properties": {"line": {"type": "integer", "minimum": 1}, "column": {"type": "integer", "minimum": 1}},
}
RANGE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["start", "end"],
    "properties": {"start": POSITION, "end": POSITION},
}
PLACE: dict[str, Any] = {
    "file": {"type": "string", "pattern": r"^[^/\\][^\\]*$"},
    "range": RANGE,
    "cell": {"type": "integer", "minimum": 1},
}
EDIT: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["file", "range", "text"],
    "properties": {**PLACE, "text": {"type": "string"}},
}
FIX: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["title", "applicability", "reason", "edits"],
    "properties": {
        "title": {"type": "string", "pattern": r"^[A-Z][^\n]*[^.\s]$"},
        "applicability": {"enum": ["safe", "unsafe", "display-only"]},
        "reason": {"type": ["string", "null"], "minLength": 1},
        "edits": {"type": "array", "minItems": 1, "items": EDIT},
    },
    # Whatever is not safe says why.
    "if": {"properties": {"applicability": {"const": "safe"}}},
    "else": {"properties": {"reason": {"type": "string"}}},
}
RANKS = {"type": ["string", "null"], "minLength": 1}
DIAGNOSTIC: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": [
        *("code", "name", "message", "consequence", "severity", "confidence", "doubt", "file", "range"),
        *("ranks", "related", "met_in", "jobs", "symptom", "fix_pattern", "help", "fix", "fingerprint"),
    ],
    "properties": {
        **PLACE,
        "code": {"type": "string", "pattern": "^DDL[0-9]{3}$"},
        "name": {"type": "string", "pattern": "^[a-z]+(-[a-z]+)*$"},
        "message": {"type": "string", "pattern": r"^\S([^\n]*[^.\s])?$"},
        "severity": {"enum": ["error", "warning", "info"]},
        "confidence": {"enum": ["high", "medium"]},
        "consequence": {"enum": [*CONSEQUENCES, None]},
        "doubt": {"type": ["string", "null"], "minLength": 1},
        "symptom": {"type": ["string", "null"], "minLength": 1},
        "fix_pattern": {"type": ["string", "null"], "minLength": 1},
        "help": {"type": ["string", "null"], "minLength": 1},
        "fix": {"anyOf": [{"type": "null"}, FIX]},
        "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
        "ranks": RANKS,
        "met_in": {"enum": ["each", "some", "none", None]},
        "jobs": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["file", "line", "world_size", "nodes", "is_met"],
                "properties": {
                    "file": PLACE["file"],
                    "line": {"type": "integer", "minimum": 1},
                    "cell": PLACE["cell"],
                    "world_size": {"type": ["integer", "null"], "minimum": 1},
                    "nodes": {"type": ["integer", "null"], "minimum": 1},
                    "is_met": {"type": "boolean"},
                },
            },
        },
        "related": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["message", "file", "range", "ranks"],
                "properties": {**PLACE, "message": {"type": "string", "minLength": 1}, "ranks": RANKS},
            },
        },
    },
}
PROGRAM = {
    "type": "object",
    "additionalProperties": False,
    "required": ["file", "entry", "kind", "followed", "reason"],
    "properties": {
        "file": {"type": "string", "pattern": r"^[^/\\][^\\]*$"},
        "entry": {"type": ["string", "null"], "minLength": 1},
        "kind": {"enum": ["script", "notebook", "console script", "main", "decorated", "library", "none"]},
        "followed": {"type": "boolean"},
        "reason": {"type": "string", "minLength": 1},
    },
}
REPORT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["version", "diagnostics", "programs"],
    "properties": {
        "version": {"const": 1},
        "diagnostics": {"type": "array", "items": DIAGNOSTIC},
        "programs": {"type": "array", "items": PROGRAM},
    },
}

HELPER = """\
import torch

def wrap(model, device):
    return torch.nn.parallel.DistributedDataParallel(model.to(device), device_ids=[device])
"""
TRAIN = """\
import torch
import torch.distributed as dist
from helper import wrap

def main():
    dist.init_process_group("gloo")
    model = wrap(torch.nn.Linear(4, 2), 0)
    torch.save(model.state_dict(), "model.pt")

if __name__ == "__main__":
    main()
"""
INFER = """\
import torch

net = torch.nn.Linear(4, 2)
net.load_state_dict(torch.load("model.pt", map_location="cpu"))
"""


@pytest.fixture
def diagnostics(project, check, notebook):
    project(
        {
            "helper.py": HELPER,
            "train.py": TRAIN,
            "infer.py": INFER,
            "unreadable.py": b"import torch\0",
            "torn.py": "import torch\ndef (\n",
            "old.py": "x = 1  # ddl-lint: ignore[DDL201]\n",
            "notes.ipynb": notebook(
                ("markdown", "# Title"), "import torch.distributed as dist", "print(dist.get_rank())"
            ),
        }
    )
    result = check("--pedantic")
    assert result.code == 1

    Draft202012Validator(REPORT).validate(json.loads(result.out))
    return result.diagnostics


def test_the_shape(diagnostics):
    assert {item["code"] for item in diagnostics} >= {"DDL001", "DDL003", "DDL004", "DDL201", "DDL305"}


def test_findings_are_sorted(diagnostics):
    keys = [
        (
            item["file"],
            item.get("cell", 0),
            item["range"]["start"]["line"],
            ["error", "warning", "info"].index(item["severity"]),
            item["range"]["end"]["column"] - item["range"]["start"]["column"],
            item["range"]["start"]["column"],
            item["code"],
        )
        for item in diagnostics
    ]
    assert keys == sorted(keys)
    assert len(keys) == len(set(keys))
    assert all(item["range"]["start"]["line"] == item["range"]["end"]["line"] for item in diagnostics)


def test_evidence_stands_in_another_file(diagnostics):
    finding = next(item for item in diagnostics if item["code"] == "DDL305")
    assert finding["file"] == "train.py"
    assert finding["range"] == {"start": {"line": 8, "column": 16}, "end": {"line": 8, "column": 34}}
    assert finding["name"] == "ddp-wrapped-state-dict"
    assert finding["symptom"] and finding["fix_pattern"]
    assert "helper.py" in {evidence["file"] for evidence in finding["related"]}


_MODE = """\
import argparse
import torch.distributed as dist

parser = argparse.ArgumentParser()
parser.add_argument("--slow", action="store_true")
args = parser.parse_args()
dist.init_process_group("gloo")
if dist.get_rank() == 0 and {condition}:
    dist.barrier()
dist.destroy_process_group()
"""


@pytest.mark.parametrize(
    ("condition", "met_in"), [("args.slow", "some"), ("args.slow is not None", "each"), ("args.deep", "none")]
)
def test_the_jobs_of_a_finding(project, run, condition, met_in):
    lines = ["torchrun --nproc_per_node 4 train.py\n", "torchrun --nnodes 2 --nproc_per_node 8 train.py --slow\n"]
    program = _MODE.replace("{condition}", condition)
    program = program.replace("args =", 'parser.add_argument("--deep", action="store_true")\nargs =')
    project({"train.py": program, "run.sh": "".join(lines), "alone.py": "import torch.distributed as d\nd.barrier()\n"})
    told = json.loads(
        run("check", "--output-format", "json", "--pedantic", "--select", "DDL502", "--select", "DDL201").out
    )
    found = {item["file"]: item for item in told["diagnostics"]}
    sizes = [(job["file"], job["line"], job["world_size"], job["nodes"]) for job in found["train.py"]["jobs"]]
    assert sizes == [("run.sh", 1, 4, 1), ("run.sh", 2, 16, 2)]
    assert found["train.py"]["met_in"] == met_in
    assert {"each": 2, "some": 1, "none": 0}[met_in] == sum(job["is_met"] for job in found["train.py"]["jobs"])
    assert (found["alone.py"]["met_in"], found["alone.py"]["jobs"]) == (None, [])


def test_findings_of_the_engine_have_no_symptom(diagnostics):
    for item in diagnostics:
        if item["code"] < "DDL100":
            assert (item["symptom"], item["fix_pattern"], item["related"]) == (None, None, [])
            assert item["confidence"] == "high"


def test_a_place_in_a_notebook(diagnostics):
    finding = next(item for item in diagnostics if item["file"] == "notes.ipynb")
    assert (finding["code"], finding["cell"]) == ("DDL201", 3)
    assert finding["range"] == {"start": {"line": 1, "column": 7}, "end": {"line": 1, "column": 22}}


def test_a_file_outside_the_working_directory_has_its_whole_path(project, check, monkeypatch):
    folder = project({"ok.py": "import torch.distributed as dist\n\nprint(dist.get_rank())\n", "sub/b.py": ""})
    monkeypatch.chdir(folder / "sub")
    assert check("..").found == [((folder / "ok.py").as_posix(), "DDL201")]


def test_rules_as_json_have_the_fields_that_others_rely_on(run):

    result = run("rules", "--output-format", "json")
    data = json.loads(result.out)
    assert (result.code, data["version"]) == (0, 1)
    fields = (
        *("code", "name", "summary", "covers", "frameworks", "stage", "symptom", "consequence", "consequences"),
        *("fix_pattern", "severity", "confidence", "fixable", "lifecycle"),
    )
    assert all(tuple(rule) == fields for rule in data["rules"])
    assert len(data["rules"]) == len(load_rules())
    assert {rule["code"]: rule["fixable"] for rule in data["rules"]}.items() >= {("DDL305", True), ("DDL001", False)}


def test_a_fix_with_its_edits(diagnostics):
    finding = next(item for item in diagnostics if item["code"] == "DDL305")
    line = TRAIN.splitlines()[7]
    edit = finding["fix"]["edits"][0]
    start, end = edit["range"]["start"], edit["range"]["end"]
    assert edit["file"] == "train.py"
    assert start["line"] == end["line"] == 8
    assert ".module.state_dict()" in line[: start["column"] - 1] + edit["text"] + line[end["column"] - 1 :]
