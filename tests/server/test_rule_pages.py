"""The pages of rules: as files for a browser, as texts for a view of the editor."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest

from asking import findings
from ddl_lint.pages import published
from ddl_lint.registry.rules import find_rule, load_rules
from ddl_lint_server import pages
from raw_client import PUSHING, Message, RawClient
from server_programs import SAVING, Start

pytestmark = pytest.mark.slow

LINKING: Message = {**PUSHING, "textDocument": {"publishDiagnostics": {"codeDescriptionSupport": True}}}


def command(client: RawClient, name: str, *arguments: object) -> Message:
    return client.ask("workspace/executeCommand", {"command": f"ddl-lint.server.{name}", "arguments": [*arguments]})


def found(client: RawClient, project: Path) -> Message:
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    return findings(client, uri, bool, pulls=False)[0]


def file_of(uri: str) -> Path:
    return Path(unquote(urlparse(uri).path))


def test_the_page_is_a_text_or_html(join: Start):
    client = join()
    text = command(client, "explainRule", "DDL305")["result"]
    assert text["title"] == "DDL305 ddp-wrapped-state-dict" and text["text"].startswith(text["title"])
    page = command(client, "explainRule", "ddp-wrapped-state-dict", "html")["result"]
    assert page["title"] == text["title"] and page["text"].startswith("<!doctype html>")


def test_the_code_links_to_a_page_for_a_browser(start: Start, project: Path):
    client = start(LINKING)
    href = found(client, project)["codeDescription"]["href"]
    assert href.startswith("file:") and href.endswith("/ddp-wrapped-state-dict.html")
    command(client, "explainRule", "DDL305")  # the worker writes pages when it has nothing else to do
    client.wait(lambda: file_of(href).exists(), "the page")
    assert "<h1>ddp-wrapped-state-dict" in file_of(href).read_text(encoding="utf-8")


def test_the_code_links_to_a_document_where_the_editor_has_a_view_of_its_own(start: Start, project: Path):
    client = start(LINKING, options={"commandLinks": True, "rulePageScheme": "ddl-lint-rule"})
    finding = found(client, project)
    assert finding["codeDescription"]["href"] == "ddl-lint-rule:/DDL305%20ddp-wrapped-state-dict"
    place = {"textDocument": {"uri": (project / "saving.py").as_uri()}, "position": finding["range"]["start"]}
    hover = client.ask("textDocument/hover", place)["result"]["contents"]["value"]
    assert "[DDL305](command:ddl-lint.server.showRule?%5B%22ddp-wrapped-state-dict%22%5D)" in hover


def test_an_editor_without_a_view_shows_the_page_in_a_browser(join: Start):
    client = join({**PUSHING, "window": {"showDocument": {"support": True}}})
    assert "error" not in command(client, "showRule", "DDL402")

    def asked() -> list[Message]:
        return [each.message for each in client.arrivals if each.message.get("method") == "window/showDocument"]

    client.wait(lambda: bool(asked()), "the page")
    shown = asked()[-1]["params"]
    assert shown["external"] is True
    assert "<h1>missing-set-epoch" in file_of(shown["uri"]).read_text(encoding="utf-8")
    assert "did you mean `missing-set-epoch`?" in command(client, "showRule", "missing-set-epok")["error"]["message"]


def test_the_published_page_comes_first(monkeypatch: pytest.MonkeyPatch):
    rule = find_rule("missing-set-epoch", load_rules())
    assert rule is not None
    monkeypatch.setattr(published, "documentation", lambda: "https://docs.example.org/ddl-lint/")
    assert pages.address(rule, as_file=True) == "https://docs.example.org/ddl-lint/rules/missing-set-epoch.html"
    monkeypatch.setattr(published, "documentation", lambda: "")
    assert pages.address(rule, as_file=False) == ""
