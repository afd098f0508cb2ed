"""SARIF: the published schema, and what its readers make of it."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest

from ddl_lint.diagnostic import Silenced
from ddl_lint.finding import Applicability, Edit, Evidence, Fix, JobOfFinding, Severity
from ddl_lint.output import addresses, render
from ddl_lint.program.followed import Coverage
from ddl_lint.registry.rules import load_rules
from ddl_lint.source.document import Document
from ddl_lint.source.span import Location
from reports import at, document, finding, notebook

SCHEMA = json.loads((Path(__file__).with_name("sarif_schema") / "sarif-2.1.0.json").read_text(encoding="utf-8"))
TRAIN = "import torch\n\nif rank == 0:\n    dist.barrier()\nelse:\n    dist.all_reduce(x)\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def sarif(*found, documents: tuple[Document, ...]) -> dict[str, Any]:
    rules = {rule.code: rule.info for rule in load_rules()}
    text = render(found, {each.path: each for each in documents}, "sarif", rules=rules)
    report = json.loads(text)
    jsonschema.Draft4Validator(SCHEMA, format_checker=jsonschema.FormatChecker()).validate(report)
    return report["runs"][0]


def results(*found, documents: tuple[Document, ...]) -> list[dict[str, Any]]:
    return sarif(*found, documents=documents)["results"]


def test_the_jobs_of_a_finding_are_properties_and_those_that_meet_it_related_places():
    doc, launches = document(TRAIN), document("torchrun a.py\ntorchrun b.py\n", name="run.sh")
    jobs = (
        JobOfFinding(at(launches, "torchrun a.py"), None, None, is_met=False),
        JobOfFinding(at(launches, "torchrun b.py"), 32, 4, is_met=True),
    )
    [result] = results(finding(at(doc, "dist.barrier()"), jobs=jobs), documents=(doc, launches))
    assert result["properties"]["metIn"] == "some"
    assert result["properties"]["jobs"] == [
        {"file": "run.sh", "line": 1, "world_size": None, "nodes": None, "is_met": False},
        {"file": "run.sh", "line": 2, "world_size": 32, "nodes": 4, "is_met": True},
    ]
    [place] = result["relatedLocations"]
    assert place["message"]["text"] == "this job meets it"
    assert place["physicalLocation"]["region"]["startLine"] == 2


def test_what_comments_and_baselines_silence_is_a_result_with_a_suppression():
    doc = document(TRAIN)
    shown, commented = finding(at(doc, "dist.barrier()")), finding(at(doc, "dist.all_reduce(x)"))
    silenced = (Silenced(commented, "comment", "one process \x1b only"), Silenced(shown, "baseline"))
    report = json.loads(render([], {doc.path: doc}, "sarif", silenced=silenced))
    jsonschema.Draft4Validator(SCHEMA, format_checker=jsonschema.FormatChecker()).validate(report)
    first, second = report["runs"][0]["results"]
    assert first["suppressions"] == [
        {"kind": "inSource", "status": "accepted", "justification": "one process \\x1b only"}
    ]
    assert second["suppressions"] == [{"kind": "external", "status": "accepted"}]
    assert first["ruleIndex"] == second["ruleIndex"] == 0 and first["partialFingerprints"]
    assert "suppressions" not in results(shown, documents=(doc,))[0]


def test_nothing_found_is_a_valid_report():
    assert sarif(documents=())["results"] == []


def test_a_rule_says_what_a_reader_wants_to_know():
    doc = document(TRAIN)
    run = sarif(
        finding(at(doc, "dist.barrier()"), code="DDL506", name="early-exit-before-collective"), documents=(doc,)
    )
    [rule] = run["tool"]["driver"]["rules"]
    assert rule["id"] == "DDL506"
    assert rule["defaultConfiguration"] == {"level": "error"}
    assert {"hang", "pytorch"} <= set(rule["properties"]["tags"])
    assert "**What to do**" in rule["help"]["markdown"]
    assert "What to do" in rule["help"]["text"]
    assert run["results"][0]["ruleIndex"] == 0


def test_the_page_of_a_rule_has_an_address_once_the_documentation_has(monkeypatch):
    doc = document(TRAIN)
    fault = finding(at(doc, "dist"), code="DDL506", name="early-exit-before-collective")
    assert "helpUri" not in sarif(fault, documents=(doc,))["tool"]["driver"]["rules"][0]
    addresses.site.cache_clear()
    entries = {"Project-URL": ["Changes, https://docs.example/changes", "Documentation, https://docs.example/ddl/"]}
    monkeypatch.setattr(metadata, "metadata", lambda name: type("M", (), {"get_all": entries.get}))
    driver = sarif(fault, documents=(doc,))["tool"]["driver"]
    addresses.site.cache_clear()
    assert driver["rules"][0]["helpUri"] == "https://docs.example/ddl/rules/early-exit-before-collective.html"
    assert driver["informationUri"] == "https://docs.example/ddl/"


def test_every_rule_that_is_installed_is_valid():
    doc = document(TRAIN)
    found = [finding(at(doc, "dist"), code=rule.code, name=rule.name) for rule in load_rules()]
    assert len(sarif(*found, documents=(doc,))["tool"]["driver"]["rules"]) == len(found)


def test_each_side_has_its_own_way():
    doc = document(TRAIN)
    fault = finding(
        at(doc, "dist.barrier()"),
        evidence=(
            Evidence("ranks diverge here", at(doc, "rank == 0")),
            Evidence("the other ranks wait here", at(doc, "dist.all_reduce(x)"), "the other ranks"),
        ),
        ranks="rank 0",
    )
    [result] = results(fault, documents=(doc,))
    [flow] = result["codeFlows"]
    ways = {
        thread["id"]: [each["location"]["physicalLocation"]["region"]["startLine"] for each in thread["locations"]]
        for thread in flow["threadFlows"]
    }
    assert ways == {"rank 0": [3, 4], "the other ranks": [3, 6]}
    assert [place["message"]["text"] for place in result["relatedLocations"]] == [
        "ranks diverge here",
        "the other ranks wait here",
    ]


def test_without_sides_there_is_one_way():
    doc = document(TRAIN)
    fault = finding(at(doc, "dist.barrier()"), evidence=(Evidence("set up", at(doc, "torch")),))
    [flow] = results(fault, documents=(doc,))[0]["codeFlows"]
    [thread] = flow["threadFlows"]
    lines = [each["location"]["physicalLocation"]["region"]["startLine"] for each in thread["locations"]]
    assert lines == [1, 4]


def applied(text: str, fix: dict[str, Any]) -> str:
    """A text after the edits of a fix, made as a reader of SARIF makes them."""
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:index])) for index in range(len(lines) + 1)]
    for replacement in reversed(fix["artifactChanges"][0]["replacements"]):
        region = replacement["deletedRegion"]
        start = starts[region["startLine"] - 1] + region["startColumn"] - 1
        end = starts[region["endLine"] - 1] + region["endColumn"] - 1
        text = text[:start] + replacement["insertedContent"]["text"] + text[end:]
    return text


def test_a_fix_can_be_made_from_the_report():
    doc = document("x = '😀'; dist.barrier()\n" + TRAIN)
    edits = (Edit(at(doc, "dist.barrier()", 1), "pass"), Edit(Location(doc.path, 0, 0), "import os\n"))
    safe = finding(at(doc, "dist.barrier()"), fix=Fix("Leave it out", edits, Applicability.SAFE))
    unsafe = finding(at(doc, "rank"), fix=Fix("Guess", edits[:1], Applicability.UNSAFE, "it is a guess"))
    first, second = results(safe, unsafe, documents=(doc,))
    text = doc.text
    assert applied(text, first["fixes"][0]) == "import os\n" + text.replace("    dist.barrier()", "    pass")
    assert second["fixes"][0]["description"]["text"] == "Guess (unsafe: it is a guess)"


def test_columns_count_code_points():
    doc = document("x = '😀'; dist.barrier()\n")
    run = sarif(finding(at(doc, "dist")), documents=(doc,))
    assert run["columnKind"] == "unicodeCodePoints"
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    text = {"snippet": {"text": "dist"}}
    assert region == {"startLine": 1, "startColumn": 10, "endLine": 1, "endColumn": 14, **text}


def test_places_of_one_line_show_their_code_to_viewers_without_the_file():
    doc = document("x = (\n    1\n)\ndist.barrier()\n")
    first, second = results(finding(at(doc, "x = (\n    1\n)")), finding(at(doc, "dist.barrier()")), documents=(doc,))
    regions = [each["locations"][0]["physicalLocation"]["region"] for each in (first, second)]
    assert [each.get("snippet") for each in regions] == [None, {"text": "dist.barrier()"}]


@pytest.mark.parametrize("name", ["a b.py", "100%.py", "größe.py", "a#b?.py", "C:x.py", "sub/../x.py", "new\nline.py"])
def test_files_are_uris_relative_to_the_source_root(name):
    doc = document("x\n", name)
    [result] = results(finding(Location(doc.path, 0, 1)), documents=(doc,))
    artifact = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact["uriBaseId"] == "%SRCROOT%"
    assert unquote(artifact["uri"]) == name
    assert artifact["uri"].isascii() and not set(" #?:\n") & set(artifact["uri"])


def test_a_file_elsewhere_has_its_whole_address(tmp_path):
    doc = Document("/elsewhere/x.py", "x\n")
    [result] = results(finding(Location(doc.path, 0, 1)), documents=(doc,))
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "file:///elsewhere/x.py"}


def test_a_notebook_whose_file_is_not_known_has_no_lines():
    doc = notebook("import torch", "model = DDP(net)")
    fix = Fix("Leave it out", (Edit(at(doc, "DDP"), ""),), Applicability.SAFE)
    fault = finding(at(doc, "DDP"), evidence=(Evidence("see", at(doc, "torch")),), fix=fix)
    [result] = results(fault, documents=(doc,))
    assert result["message"]["text"] == "cell 4:1:9: it is wrong\n\n[n.ipynb:cell 2:1:8](1): see"
    assert result["locations"][0] == {
        "physicalLocation": {"artifactLocation": {"uri": "n.ipynb", "uriBaseId": "%SRCROOT%"}},
        "logicalLocations": [{"name": "cell 4", "kind": "module"}],
    }
    assert result["relatedLocations"][0]["message"]["text"] == "cell 2:1:8: see"
    assert "fixes" not in result


def test_code_in_a_message_is_no_link():
    doc = document(TRAIN)
    [result] = results(finding(at(doc, "dist"), "`layers[0](1)` is skipped"), documents=(doc,))
    assert result["message"]["text"] == "`layers\\[0](1)` is skipped"


def test_a_file_that_could_not_be_read():
    fault = finding(Location((Path.cwd() / "x.py").as_posix(), 0, 0), code="DDL003", severity=Severity.INFO)
    [result] = results(fault, documents=())
    assert "region" not in result["locations"][0]["physicalLocation"]
    assert result["level"] == "note"


def test_what_was_not_seen_is_a_notification():
    doc = document(TRAIN)
    cut = Coverage(doc.path, "script", "", True, "a script", cut="40,000 statements")
    [run] = json.loads(render([], {doc.path: doc}, "sarif", programs=[cut]))["runs"]
    [note] = run["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"] == "Not all of train.py was followed: stopped after 40,000 statements."
    assert run["tool"]["driver"]["semanticVersion"].count(".") >= 2


def test_the_message_links_its_evidence_and_ends_with_the_help():
    doc = document(TRAIN)
    fault = finding(at(doc, "dist"), "it hangs", evidence=(Evidence("`a[0](1)`", at(doc, "torch")),), help="Do so.")
    [result] = results(fault, documents=(doc,))
    assert result["message"]["text"] == "it hangs\n\n[train.py:1:8](1): `a\\[0](1)`\n\nHelp: Do so."
