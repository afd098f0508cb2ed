"""Shows what rules see of a program: events with their roles, objects with their facts, conditions and ranks."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from ddl_lint.analysis.view import RunView
from ddl_lint.escape import harmless_json
from ddl_lint.output.events.described import Described, described
from ddl_lint.output.events.text import text
from ddl_lint.program.trace import Event
from ddl_lint.source.document import Document

__all__ = ["render"]


def render(
    runs: Sequence[tuple[RunView, Sequence[Event], Mapping[Event, Sequence[str]]]],
    documents: Mapping[str, Document],
    format: str,
) -> str:
    """Runs with the events that are asked for, and the ranks that come to each, as `text` or `json`."""
    told: list[Described] = [described(*each, documents) for each in runs]
    if format == "json":
        return harmless_json(json.dumps({"runs": told}, indent=2, ensure_ascii=False)) + "\n"
    return text(told)
