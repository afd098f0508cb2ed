"""The capabilities of real editors, as pytest-lsp knows them; it warns when a client is told what it cannot take."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from ddl_lint.source import ColumnUnit, Document
from ddl_lint_server.convert import Abilities
from ddl_lint_server.texts import offset_at
from server_programs import COMMAND, FAULT, SAVING, TRAINING

UNITS = {
    "visual_studio_code": "utf-16",
    "neovim": "utf-8",
    "emacs": "utf-32",
    "neovim@0.6.1": "utf-16",
    "neovim@0.10.0": "utf-16",
}


@pytest_lsp.fixture(config=ClientServerConfig(server_command=COMMAND), params=list(UNITS))
async def client(request: pytest.FixtureRequest, lsp_client: LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    capabilities = client_capabilities(request.param)
    (tmp_path / "ddl-lint.toml").write_text("")
    (tmp_path / "saving.py").write_text(SAVING, encoding="utf-8")
    (tmp_path / "train.py").write_text(TRAINING, encoding="utf-8")
    lsp_client.test_unit = UNITS[request.param]  # type: ignore[attr-defined]
    lsp_client.test_pulls = Abilities.of(capabilities).pulls  # type: ignore[attr-defined]
    lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda _: None)
    await lsp_client.initialize_session(
        types.InitializeParams(capabilities=capabilities, root_uri=tmp_path.as_uri(), process_id=os.getpid())
    )
    yield
    await lsp_client.shutdown_session()


async def found_in(client: Any, uri: str) -> list[types.Diagnostic]:
    """The findings of a document, as soon as there are any."""
    while True:
        if client.test_pulls:
            params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
            found = (await client.text_document_diagnostic_async(params)).items
        else:
            found = client.diagnostics.get(uri, [])
        if found:
            return list(found)
        await asyncio.sleep(0.1)


@pytest.mark.asyncio
@pytest.mark.filterwarnings("error")
async def test_from_the_finding_to_the_mended_file(client: Any, tmp_path: Path):
    unit = ColumnUnit(client.test_unit)
    uri = (tmp_path / "saving.py").as_uri()
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, types.LanguageKind.Python, 1, SAVING))
    )
    (finding,) = await found_in(client, uri)
    document = Document("a", SAVING)
    place = finding.range
    assert SAVING[offset_at(document, place.start, unit) : offset_at(document, place.end, unit)] == FAULT

    actions = await client.text_document_code_action_async(
        types.CodeActionParams(types.TextDocumentIdentifier(uri), place, types.CodeActionContext([finding]))
    )
    edit = actions[0].edit
    edits = edit.changes[uri] if edit.changes else edit.document_changes[0].edits
    after = SAVING
    for each in sorted(edits, key=lambda each: each.range.start.line, reverse=True):
        span = offset_at(document, each.range.start, unit), offset_at(document, each.range.end, unit)
        after = after[: span[0]] + each.new_text + after[span[1] :]
    assert after == SAVING.replace(FAULT, "network.module.state_dict()")

    hover = await client.text_document_hover_async(types.HoverParams(types.TextDocumentIdentifier(uri), place.start))
    assert "DDL305" in hover.contents.value
    client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
