"""What hovering over code tells: what a call means to a training program, and which ranks execute the line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ddl_lint.check.rank_questions import TraceError, WhoRuns, who_runs
from ddl_lint.jobs.file_names import is_job_file
from ddl_lint.output.trace import who
from ddl_lint.project.config import Settings
from ddl_lint.source import ColumnUnit, Document, SourceError, column_from_units, document_from_text
from ddl_lint_server.meaning import meaning
from ddl_lint_server.messages import Ask


def answer(request: Ask, settings: Settings, overlay: Mapping[str, str], unit: ColumnUnit) -> str:
    """A text in Markdown; empty if there is nothing worth saying."""
    if is_job_file(request.path):
        return ""
    try:
        document = document_from_text(request.path, overlay[request.path])
    except (KeyError, SourceError):
        return ""
    line = _line(document, request)
    if line is None or not document.line_text(line).strip():
        return ""
    column = column_from_units(document.line_text(line), request.column, unit)
    parts = [meaning(document, document.offset(line, column + 1), settings), _who(request, line, settings, overlay)]
    return "\n\n".join(filter(None, parts))


def _who(request: Ask, line: int, settings: Settings, overlay: Mapping[str, str]) -> str:
    """Which ranks execute the line, where not all do."""
    try:
        found = who_runs([Path(request.path)], Path(request.path), line, settings, overlay=overlay)
    except TraceError:
        return ""
    if not _is_news(found):
        return ""
    return f"```text\n{who(found.runs, found.documents, request.path, line)}```"


def _line(document: Document, request: Ask) -> int | None:
    """The line of the document, from 1."""
    if not request.cell:
        return request.line + 1
    for cell in document.cells:
        if cell.index == request.cell:
            return document.position(cell.span.start)[0] + request.line
    return None


def _is_news(found: WhoRuns) -> bool:
    """That all ranks execute a line is what everybody expects."""
    return any(not visit.arrives or visit.only_if or visit.unless for run in found.runs for visit in run.visits)
