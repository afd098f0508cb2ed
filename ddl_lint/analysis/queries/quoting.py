"""Code of the checked program as a message quotes it. For people only: no rule may decide anything by it."""

from __future__ import annotations

import re

from ddl_lint.analysis.view import RunView
from ddl_lint.program.trace import Event
from ddl_lint.source.span import Location

_LONGEST = 40
_CALL = re.compile(r"([A-Za-z_][\w.]*)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")


def quoted(run: RunView, location: Location, otherwise: str) -> str:
    """The code at a place in backticks, if it is short; else other words for it."""
    text = _text(run, location)
    return f"`{text}`" if 0 < len(text) <= _LONGEST and "`" not in text else otherwise


def callee(run: RunView, event: Event) -> str:
    """What the program calls at an event, as it is written there: `hvd.size`; else the last word of its full name."""
    match = _CALL.fullmatch(_text(run, event.location))
    return match[1] if match is not None and len(match[1]) <= _LONGEST else event.api.rpartition(".")[2]


def _text(run: RunView, location: Location) -> str:
    """The code at a place without line ends. It is the same as long as the program is, so nothing needs to be noted."""
    document = run.project_context.documents.get(location.path)
    return " ".join(document.text[location.start : location.end].split()) if document is not None else ""
