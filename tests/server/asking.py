"""What tests ask a server, whichever way its client learns of findings."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from lsprotocol import types

from ddl_lint.source import ColumnUnit, Document
from ddl_lint_server.texts import offset_at
from raw_client import PATIENCE, Message, RawClient

EVERYWHERE: Message = {"start": {"line": 0, "character": 0}, "end": {"line": 9999, "character": 0}}


def pulled(client: RawClient, uri: str, previous: str | None = None) -> Message:
    """The answer to a request for the findings of a document."""
    params: Message = {"textDocument": {"uri": uri}}
    if previous is not None:
        params["previousResultId"] = previous
    return client.ask("textDocument/diagnostic", params)["result"]


def findings(client: RawClient, uri: str, ready: Callable[[list[Message]], bool], *, pulls: bool) -> list[Message]:
    """The findings of a document as soon as they are as they should be; the newest ones when patience ends."""
    newest: list[Message] = []

    def there() -> bool:
        nonlocal newest
        arrival = client.published.get(uri)
        newest = arrival.message["params"]["diagnostics"] if arrival is not None else []
        return arrival is not None and ready(newest)

    if not pulls:
        try:
            client.wait(there, "the right findings")
        except TimeoutError:
            raise AssertionError(f"these findings stayed: {newest}") from None
        return newest
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        seen = client.refreshes
        newest = pulled(client, uri)["items"]
        if ready(newest):
            return newest
        client.wait(lambda seen=seen: client.refreshes > seen, "a wish to be asked again")
    raise AssertionError(f"these findings stayed: {newest}")


def codes(diagnostics: list[Message]) -> list[str]:
    """The codes of findings."""
    return [diagnostic.get("code", "") for diagnostic in diagnostics]


def actions(client: RawClient, uri: str, place: Message = EVERYWHERE, **context: Any) -> list[Message]:
    """What the server offers to do."""
    params = {"textDocument": {"uri": uri}, "range": place, "context": {"diagnostics": [], **context}}
    return client.ask("textDocument/codeAction", params)["result"]


def edits_of(action: Message) -> dict[str, list[Message]]:
    """The edits of an action, by URI."""
    edit = action["edit"]
    if "changes" in edit:
        return edit["changes"]
    return {each["textDocument"]["uri"]: each["edits"] for each in edit["documentChanges"]}


def edited(text: str, edits: list[Message], unit: ColumnUnit = ColumnUnit.UTF16) -> str:
    """A text with edits made, as an editor makes them."""
    document = Document("a", text)
    parts: list[tuple[int, int, str]] = []
    for edit in edits:
        start, end = (
            offset_at(document, types.Position(edit["range"][side]["line"], edit["range"][side]["character"]), unit)
            for side in ("start", "end")
        )
        parts.append((start, end, edit["newText"]))
    for start, end, new in sorted(parts, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def logged(client: RawClient) -> list[str]:
    """What the server wrote into the log of the editor."""
    return [
        arrival.message["params"]["message"]
        for arrival in client.arrivals
        if arrival.message.get("method") == "window/logMessage"
    ]
