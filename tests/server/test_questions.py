"""Hovers and commands: answers for people."""

from __future__ import annotations

from pathlib import Path

import pytest

import ddl_lint
from asking import findings
from ddl_lint_server.markdown import plain
from raw_client import PUSHING, Message, RawClient
from server_programs import SAMPLING, SAVING, TRAINING, Start

pytestmark = pytest.mark.slow

HANGING = """\
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
x = torch.ones(1)
if dist.get_rank() == 0:
    dist.all_reduce(x)
dist.barrier()
"""

ENDLESS = SAMPLING.replace("for epoch in range(3):", "while True:")
LINES = TRAINING.splitlines()


def hover(client: RawClient, uri: str, line: int, character: int) -> str:
    params = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
    result = client.ask("textDocument/hover", params)["result"]
    return result["contents"]["value"] if result is not None else ""


def command(client: RawClient, name: str, *arguments: object) -> Message:
    return client.ask("workspace/executeCommand", {"command": f"ddl-lint.server.{name}", "arguments": [*arguments]})


def test_a_hover_on_a_finding_tells_its_rule(join: Start, project: Path):
    client = join()
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    (found,) = findings(client, uri, bool, pulls=False)
    text = hover(client, uri, **found["range"]["start"])
    assert "DDL305" in text and "`ddp-wrapped-state-dict`" in text
    assert "**What to do**" in text and "It is unsafe: new checkpoints lose the `module.` prefix" in text
    assert "must change too" in text


def test_a_hover_begins_with_what_to_do_here(join: Start, project: Path):
    client = join()
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    (found,) = findings(client, uri, bool, pulls=False)
    text = hover(client, uri, **found["range"]["start"])
    order = ["DDL305", "**What to do**", "There is a fix", "**Why**"]
    assert sorted(order, key=text.index) == order


def test_a_hover_says_why_there_is_no_fix(join: Start, project: Path):
    client = join()
    uri = (project / "endless.py").as_uri()
    client.open(uri, ENDLESS)
    (found,) = findings(client, uri, bool, pulls=False)
    text = hover(client, uri, **found["range"]["start"])
    assert "No fix: the epoch loop does not count its iterations." in text


def test_a_hover_on_a_call_tells_what_it_means(join: Start, project: Path):
    client = join()
    uri = (project / "train.py").as_uri()
    client.open(uri, TRAINING)
    line = next(number for number, text in enumerate(LINES) if "init_process_group" in text)
    text = hover(client, uri, line, LINES[line].index("init_process"))
    assert "`torch.distributed.init_process_group`" in text
    assert "All ranks of the group must make this call together" in text
    assert hover(client, uri, 2, 0) == ""


def test_a_hover_on_a_guarded_line_tells_who_runs_it(join: Start, project: Path):
    client = join()
    uri = (project / "train.py").as_uri()
    client.open(uri, TRAINING)
    line = next(number for number, text in enumerate(LINES) if "keep(network" in text)
    text = hover(client, uri, line, LINES[line].index("keep"))
    assert ("rank 0 executes it" in text and "do not execute it" in text) or "does not execute it" in text
    assert "train.py:20" in text


def test_a_hover_where_nothing_is_open(join: Start, project: Path):
    assert hover(join(), (project / "train.py").as_uri(), 0, 0) == ""


def test_which_ddl_lint_with_which_configuration(start: Start, project: Path):
    client = start()
    uri = (project / "saving.py").as_uri()
    result = command(client, "debugInformation", uri)["result"]
    assert result["version"] == ddl_lint.__version__
    assert result["worker"] and result["generation"] == 1
    assert f"used: {project / 'ddl-lint.toml'} (the nearest configuration file)" in result["text"]
    assert f"checked with: {project.as_posix()}" in result["text"]
    assert "pushed to the editor" in result["text"]
    assert "debugInformation" not in command(client, "debugInformation")["result"]["text"]


def test_why_a_configuration_does_not_apply(join: Start, project: Path):
    (project / "ddl-lint.toml").write_text("selekt = 1")
    text = command(join(), "debugInformation", (project / "saving.py").as_uri())["result"]["text"]
    assert "the configuration cannot be used" in text and "unknown key `selekt`" in text


def test_the_picture_of_a_script(join: Start, project: Path):
    client = join()
    uri = (project / "train.py").as_uri()
    client.open(uri, TRAINING)
    picture = command(client, "trace", uri)["result"]
    assert picture["format"] == "svg" and picture["content"].startswith("<svg")
    page = command(client, "trace", uri, "html", "main")["result"]
    assert page["format"] == "html" and "<html" in page["content"]


def test_the_ranks_of_a_finding_are_offered_and_shown(join: Start, project: Path):
    client = join({**PUSHING, "window": {"showDocument": {"support": True}}})
    uri = (project / "hanging.py").as_uri()
    (project / "hanging.py").write_text(HANGING, encoding="utf-8")
    client.open(uri, HANGING)
    found = findings(client, uri, bool, pulls=False)
    line = found[0]["range"]["start"]["line"]
    shown = {"title": "Show ranks", "command": "ddl-lint.server.showTrace", "arguments": [uri, line]}
    document = {"textDocument": {"uri": uri}}
    actions = client.ask(
        "textDocument/codeAction", {**document, "range": found[0]["range"], "context": {"diagnostics": []}}
    )["result"]
    assert [action["command"] for action in actions if action["title"] == "Show ranks"] == [shown]
    lenses = client.ask("textDocument/codeLens", document)["result"]
    assert [lens["command"] for lens in lenses] == [shown]
    assert "command:" not in hover(client, uri, **found[0]["range"]["start"])  # nobody said that such a link runs
    page = command(client, "trace", uri, "html", "", line)["result"]
    assert "data-focus" in page["content"] and "executes it" in page["content"]
    assert page["folder"] == project.as_posix()


def test_a_client_that_opens_nothing_is_offered_no_ranks(join: Start, project: Path):
    client = join()
    uri = (project / "hanging.py").as_uri()
    client.open(uri, HANGING)
    findings(client, uri, bool, pulls=False)
    assert client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})["result"] == []


def test_a_hover_links_to_the_ranks_where_links_run_commands(start: Start, project: Path):
    client = start(
        {**PUSHING, "window": {"showDocument": {"support": True}}}, options={"commandLinks": True, "debounce": 0.02}
    )
    uri = (project / "hanging.py").as_uri()
    client.open(uri, HANGING)
    (first, *_) = findings(client, uri, bool, pulls=False)
    text = hover(client, uri, **first["range"]["start"])
    assert "[Show ranks](command:ddl-lint.server.showTrace?%5B%22file" in text


def test_text_of_the_checked_code_is_only_text_in_markdown():
    assert plain("call `fit(x)` [here](command:evil)") == "call `fit(x)` \\[here\\](command:evil)"
    assert plain("a ` b <img>") == "a \\` b \\<img\\>"


def test_pictures_that_cannot_be_made(join: Start, project: Path):
    client = join()
    uri = (project / "train.py").as_uri()
    assert "there is no function `mein`" in command(client, "trace", uri, "svg", "mein")["error"]["message"]
    assert "there is no format `png`" in command(client, "trace", uri, "png")["error"]["message"]
    assert "is no file" in command(client, "trace", "https://example.org")["error"]["message"]
    assert "error" in command(client, "trace")


def test_the_page_of_a_rule(join: Start):
    client = join()
    assert command(client, "explainRule", "DDL305")["result"]["text"].startswith("DDL305 ddp-wrapped-state-dict")
    error = command(client, "explainRule", "ddp-wraped-state-dict")["error"]
    assert "did you mean `ddp-wrapped-state-dict`?" in error["message"]


def test_unknown_commands_are_refused(join: Start):
    assert command(join(), "nonsense")["error"]["code"] == -32602
