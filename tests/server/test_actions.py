"""What can be done about findings: made from what the server found, whatever the client says about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from asking import actions, edited, edits_of, findings
from ddl_lint.source import ColumnUnit
from ddl_lint_server.actions import in_short
from raw_client import PULLING, PUSHING, Message, RawClient
from server_programs import FAULT, SAMPLING, SAVING, Start

pytestmark = pytest.mark.slow

VERSIONED: Message = {"workspace": {"workspaceEdit": {"documentChanges": True}}}
RESOLVING: Message = {
    "textDocument": {
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit"]},
        }
    }
}


def opened(client: RawClient, project: Path, name: str, text: str) -> str:
    """Open a file, and wait for its finding."""
    uri = (project / name).as_uri()
    client.open(uri, text)
    findings(client, uri, bool, pulls=False)
    return uri


def of_kind(offered: list[Message], kind: str) -> list[Message]:
    return [action for action in offered if action["kind"] == kind]


@pytest.mark.parametrize("unit", ColumnUnit)
def test_an_unsafe_fix_says_why_and_mends(join: Start, project: Path, unit: ColumnUnit):
    client = join(encoding=unit.value)
    uri = opened(client, project, "saving.py", SAVING)
    fix, silence, *_ = actions(client, uri)
    assert fix["title"].startswith("Save the state of the inner model")
    assert fix["title"].endswith("(unsafe: new checkpoints lose the `module.` prefix …)")
    assert "isPreferred" not in fix and fix["diagnostics"][0]["code"] == "DDL305"
    after = edited(SAVING, edits_of(fix)[uri], unit)
    assert after == SAVING.replace(FAULT, "network.module.state_dict()")
    client.change(uri, 2, {"text": after})
    findings(client, uri, lambda found: not found, pulls=False)

    after = edited(SAVING, edits_of(silence)[uri], unit)
    assert "# ddl-lint: ignore[ddp-wrapped-state-dict]" in after
    client.change(uri, 3, {"text": after})
    assert client.findings(uri, 3).message["params"]["diagnostics"] == []


@pytest.mark.parametrize(
    ("reason", "short"),
    [
        ("the order of the messages changes", "the order of the messages changes"),
        (
            "the backend is a guess, and a launcher that is not to be seen may create the group",
            "the backend is a guess …",
        ),
        (
            "so, what is sent next to the other ranks of the job is no longer what it was, and they wait",
            "so, what is sent next to the other ranks of the job is no longer what …",
        ),
    ],
)
def test_a_menu_has_the_first_clauses_of_a_reason(reason: str, short: str):
    assert in_short(reason) == short


def test_a_safe_fix_is_preferred(join: Start, project: Path):
    client = join()
    uri = opened(client, project, "sampling.py", SAMPLING)
    fix = actions(client, uri)[0]
    assert fix["isPreferred"] and "unsafe" not in fix["title"]
    assert "sampler.set_epoch(epoch)" in edited(SAMPLING, edits_of(fix)[uri])


TWICE = """\
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

dist.init_process_group("gloo")
network = DistributedDataParallel(nn.Linear(4, 1))
one, two = (TensorDataset(torch.randn(64, 4)) for _ in range(2))
first, second = DistributedSampler(one), DistributedSampler(two)
for epoch in range(3):
    for (batch,) in DataLoader(one, sampler=first):
        network(batch).sum().backward()
    for (batch,) in DataLoader(two, sampler=second):
        network(batch).sum().backward()
torch.save(network.state_dict(), "weights.pt")
"""


def test_the_smallest_place_comes_first_and_one_fix_is_preferred(join: Start, project: Path):
    client = join()
    uri = opened(client, project, "twice.py", TWICE)
    offered = of_kind(actions(client, uri), "quickfix")
    sizes = [
        (end["line"] - start["line"], end["character"] - start["character"])
        for action in offered
        for start, end in [(action["diagnostics"][0]["range"][side] for side in ("start", "end"))]
    ]
    assert len(offered) > 1 and sizes == sorted(sizes)
    assert [action.get("isPreferred", False) for action in offered].count(True) == 1


ENDLESS = SAMPLING.replace("for epoch in range(3):", "while True:")
DISABLING: Message = {**PUSHING, "textDocument": {"codeAction": {"disabledSupport": True}}}


def test_why_there_is_no_fix_is_told_by_what_cannot_be_chosen(start: Start, project: Path):
    client = start(DISABLING)
    uri = opened(client, project, "endless.py", ENDLESS)
    first = actions(client, uri)[0]
    assert first["title"] == "No fix: the epoch loop does not count its iterations"
    assert first["disabled"] == {"reason": "the epoch loop does not count its iterations"}
    assert first["kind"] == "quickfix.none.ddl-lint" and "edit" not in first and "isPreferred" not in first
    fixable = opened(client, project, "sampling.py", SAMPLING)
    assert not of_kind(actions(client, fixable), "quickfix.none.ddl-lint")


def test_our_extension_shows_the_reason_too(start: Start, project: Path):
    client = start(options={"commandLinks": True})
    uri = opened(client, project, "endless.py", ENDLESS)
    first = actions(client, uri)[0]
    assert first["title"].startswith("No fix: ") and "disabled" not in first
    assert first["command"]["command"] == "ddl-lint.server.showRule"


def test_editors_that_would_run_it_are_offered_no_reason(join: Start, project: Path):
    client = join()
    uri = opened(client, project, "endless.py", ENDLESS)
    assert not of_kind(actions(client, uri), "quickfix.none.ddl-lint")


def test_the_documentation_of_a_rule_is_offered_where_it_can_be_shown(join: Start, project: Path):
    client = join({**PUSHING, "window": {"showDocument": {"support": True}}})
    uri = opened(client, project, "saving.py", SAVING)
    (offered,) = of_kind(actions(client, uri), "quickfix.documentation.ddl-lint")
    assert offered["title"] == "Show documentation of DDL305"
    assert offered["command"]["command"] == "ddl-lint.server.showRule"
    assert offered["command"]["arguments"] == ["ddp-wrapped-state-dict"]


def test_what_the_client_says_about_findings_is_not_believed(join: Start, project: Path):
    client = join()
    uri = opened(client, project, "saving.py", SAVING)
    lie = {
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 3}},
        "message": "a lie",
        "source": "ddl-lint",
        "code": "DDL305",
        "data": "DDL305-0",
    }
    fix = actions(client, uri, diagnostics=[lie])[0]
    assert edited(SAVING, edits_of(fix)[uri]) == SAVING.replace(FAULT, "network.module.state_dict()")


def test_only_findings_in_the_range_count(join: Start, project: Path):
    client = join()
    uri = opened(client, project, "saving.py", SAVING)
    top = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}
    assert actions(client, uri, top) == []
    cursor = {"line": 6, "character": 40}
    assert of_kind(actions(client, uri, {"start": cursor, "end": cursor}), "quickfix") != []


def test_only_what_is_wanted_is_offered(join: Start, project: Path):
    client = join()
    uri = opened(client, project, "sampling.py", SAMPLING)
    assert actions(client, uri, only=["refactor"]) == []
    kinds = [action["kind"] for action in actions(client, uri, only=["quickfix"])]
    suppress = "quickfix.suppress.ddl-lint"
    assert kinds == ["quickfix", suppress, suppress, f"{suppress}.project"]
    assert all(each["title"].startswith("Ignore `") for each in actions(client, uri, only=["quickfix.suppress"]))
    for kind in ("source", "source.fixAll", "source.fixAll.ddl-lint"):
        (action,) = actions(client, uri, only=[kind])
        assert action["kind"] == "source.fixAll.ddl-lint"
    assert actions(client, uri, only=["source.fixAll.other"]) == []


def test_fix_all_makes_safe_fixes_only(join: Start, project: Path):
    client = join()
    uri = opened(client, project, "sampling.py", SAMPLING)
    (action,) = actions(client, uri, only=["source.fixAll"])
    after = edited(SAMPLING, edits_of(action)[uri])
    assert after == SAMPLING.replace(
        "    for epoch in range(3):\n", "    for epoch in range(3):\n        sampler.set_epoch(epoch)\n"
    )
    saving = opened(client, project, "saving.py", SAVING)
    assert actions(client, saving, only=["source.fixAll"]) == []


def test_fix_all_changes_no_other_open_file(join: Start, project: Path):
    client = join()
    uri = opened(client, project, "sampling.py", SAMPLING)
    opened(client, project, "sampling_too.py", SAMPLING)
    (action,) = actions(client, uri, only=["source.fixAll"])
    assert list(edits_of(action)) == [uri]


def test_fix_all_is_made_when_it_is_chosen(start: Start, project: Path):
    client = start(RESOLVING)
    uri = opened(client, project, "sampling.py", SAMPLING)
    (action,) = of_kind(actions(client, uri), "source.fixAll.ddl-lint")
    assert action["title"] == "Fix all auto-fixable problems" and "edit" not in action
    resolved = client.ask("codeAction/resolve", action)["result"]
    assert "sampler.set_epoch(epoch)" in edited(SAMPLING, edits_of(resolved)[uri])
    client.close(uri)
    assert "edit" not in client.ask("codeAction/resolve", action)["result"]


def test_edits_name_the_version_that_they_are_for(start: Start, project: Path):
    client = start(VERSIONED)
    uri = opened(client, project, "saving.py", SAVING)
    client.change(uri, 7, {"text": "\n" + SAVING})
    fix = actions(client, uri)[0]
    (change,) = fix["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": uri, "version": 7}
    assert edited("\n" + SAVING, change["edits"]) == "\n" + SAVING.replace(FAULT, "network.module.state_dict()")


def test_the_newest_text_counts_even_while_it_is_being_checked(start: Start, project: Path):
    client = start(options={"debounce": 5})
    uri = opened(client, project, "saving.py", SAVING)
    client.change(uri, 2, {"text": "\n\n" + SAVING})
    fix = actions(client, uri)[0]
    assert edited("\n\n" + SAVING, edits_of(fix)[uri]) == "\n\n" + SAVING.replace(FAULT, "network.module.state_dict()")


def test_line_ends_are_kept(join: Start, project: Path):
    client = join()
    text = SAMPLING.replace("\n", "\r\n")
    uri = opened(client, project, "sampling.py", text)
    (action,) = actions(client, uri, only=["source.fixAll"])
    after = edited(text, edits_of(action)[uri])
    assert "\n" not in after.replace("\r\n", "") and "sampler.set_epoch(epoch)\r\n" in after


def test_a_document_that_is_not_open_has_none(join: Start, project: Path):
    client = join()
    assert actions(client, (project / "saving.py").as_uri()) is None


def test_a_syntax_error_cannot_be_silenced(join: Start, project: Path):
    client = join()
    uri = opened(client, project, "broken.py", "import torch\n\n\ndef broken(:\n")
    assert actions(client, uri) == []


def test_actions_for_who_pulls(join: Start, project: Path):
    client = join(PULLING)
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    findings(client, uri, bool, pulls=True)
    assert of_kind(actions(client, uri), "quickfix") != []
