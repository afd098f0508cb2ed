"""What is answered while a check is at work: one that waits at a gate, which only the test opens."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from asking import actions, edited, edits_of, findings
from raw_client import PATIENCE, RawClient
from server_programs import SAMPLING, Start, install_rule, with_installed

pytestmark = pytest.mark.slow

CHECK = """
import os, time

def check(project):
    if any("# gated" in document.text for document in project.documents.values()):
        open({there!r}, "w").close()
        while not os.path.exists({gate!r}):
            time.sleep(0.01)
    return ()
"""
GATED = f"# new\n{SAMPLING}# gated\n"


class Gate:
    """Where checks of a text with `# gated` wait."""

    def __init__(self, folder: Path) -> None:
        self.there, self.gate = folder / "there", folder / "gate"
        self.rule = install_rule(folder / "installed", CHECK.format(there=str(self.there), gate=str(self.gate)))

    def reached(self) -> None:
        """Wait until a check is at the gate."""
        end = time.monotonic() + PATIENCE
        while not self.there.exists():
            assert time.monotonic() < end, "no check came to the gate"
            time.sleep(0.01)

    def open(self) -> None:
        assert not self.gate.exists()
        self.gate.touch()


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    return Gate(tmp_path)


def hovered(client: RawClient, uri: str, line: int, character: int) -> str:
    params = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
    answer = client.ask("textDocument/hover", params)["result"]
    return answer["contents"]["value"] if answer else ""


def begun(client: RawClient, project: Path, gate: Gate) -> str:
    """A document with a finding in the loop; the check of its next text, with a line more before it, is at the gate."""
    uri = (project / "sampling.py").as_uri()
    client.open(uri, SAMPLING)
    findings(client, uri, bool, pulls=False)
    client.change(uri, 2, {"text": GATED})
    gate.reached()
    return uri


def test_a_hover_over_code_waits_for_no_check(start: Start, project: Path, gate: Gate):
    client = start(environment=with_installed(gate.rule))
    uri = begun(client, project, gate)
    lines = GATED.splitlines()
    line = next(number for number, text in enumerate(lines) if "init_process_group" in text)
    assert "in ddl-lint's model" in hovered(client, uri, line, lines[line].index("init_process_group"))
    gate.open()
    findings(client, uri, lambda found: bool(found) and client.published[uri].message["params"]["version"] == 2,
             pulls=False)  # fmt: skip


def test_a_hover_over_a_finding_is_of_its_present_line(start: Start, project: Path, gate: Gate):
    client = start(environment=with_installed(gate.rule))
    uri = begun(client, project, gate)
    (found,) = client.published[uri].message["params"]["diagnostics"]
    line, character = (found["range"]["start"][each] for each in ("line", "character"))
    assert "missing-set-epoch" in hovered(client, uri, line + 1, character)
    assert "missing-set-epoch" not in hovered(client, uri, line, 0)
    gate.open()


def test_actions_are_for_what_is_known_of_the_earlier_text(start: Start, project: Path, gate: Gate):
    client = start(environment=with_installed(gate.rule))
    uri = begun(client, project, gate)
    offered = {action["title"]: action for action in actions(client, uri)}
    after = edited(GATED, edits_of(offered["Ignore `missing-set-epoch` on this line"])[uri])
    assert after.replace("  # ddl-lint: ignore[missing-set-epoch]", "") == GATED
    assert "Ignore `missing-set-epoch` in this project" in offered
    (fix,) = (action for action in offered.values() if action["kind"] == "quickfix")
    assert "isPreferred" not in fix, "nobody has shown it right for this text"
    assert "sampler.set_epoch(epoch)" in edited(GATED, edits_of(fix)[uri])
    assert "Fix all auto-fixable problems" not in offered
    gate.open()
    all_safe = actions(client, uri, only=["source.fixAll"])
    assert "sampler.set_epoch(epoch)" in edited(GATED, edits_of(all_safe[0])[uri])
    assert any(action.get("isPreferred") for action in actions(client, uri))
