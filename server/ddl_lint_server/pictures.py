"""Pictures of what ranks do: of a script or function, or of the run that gets to a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ddl_lint.check.rank_questions import trace
from ddl_lint.check.traced_line import trace_line
from ddl_lint.check.traced_program import TraceError
from ddl_lint.output.trace import Focus, Presentation, places, render, who
from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import Rule
from ddl_lint.source import SourceError, document_from_text
from ddl_lint_server.messages import Picture


def picture(request: Picture, settings: Settings, overlay: Mapping[str, str], rules: Sequence[Rule]) -> str:
    """The picture in its format.

    Raises:
        TraceError: there is nothing to show.
    """
    path = Path(request.path)
    line = _line(request, overlay)
    if line is None:
        traced = trace(path, settings, request.function, overlay=overlay, rules=rules)
        return render(traced.communication, traced.documents, request.format)
    answer = trace_line(path, line, settings, overlay=overlay, rules=rules)
    if answer.traced is None:
        raise TraceError(f"nothing that was followed gets to line {line}")
    lead = who(answer.who.runs, answer.who.documents, request.path, line)
    presentation = Presentation(focus=Focus(request.path, line, lead, places(answer.who.runs)))
    return render(answer.traced.communication, answer.traced.documents, request.format, presentation)


def _line(request: Picture, overlay: Mapping[str, str]) -> int | None:
    """The line of the document that a picture is opened at, from 1; None where it is not opened at one."""
    if request.line < 0:
        return None
    if not request.cell:
        return request.line + 1
    try:
        document = document_from_text(request.path, overlay[request.path])
    except (KeyError, SourceError):
        return None
    return next(
        (document.position(cell.span.start)[0] + request.line for cell in document.cells if cell.index == request.cell),
        None,
    )
