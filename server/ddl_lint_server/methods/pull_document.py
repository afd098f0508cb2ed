"""The client asks for the findings of a document, or of a cell."""

from __future__ import annotations

from lsprotocol import types

from ddl_lint_server.state import Server

METHOD = types.TEXT_DOCUMENT_DIAGNOSTIC
OPTIONS = types.DiagnosticOptions(identifier="ddl-lint", inter_file_dependencies=True, workspace_diagnostics=True)


async def handle(ls: Server, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    """Answer as soon as something is known of the present text; if more follows, the client is asked to pull again."""
    uri = params.text_document.uri
    subject = ls.documents.of(uri)
    if subject is None:
        return types.RelatedFullDocumentDiagnosticReport(items=[])
    checked = await ls.schedule.latest(subject.path)
    if checked is None:
        return types.RelatedFullDocumentDiagnosticReport(items=[])
    ls.given[subject.path] = checked.digest
    cell = ls.documents.cell(uri)
    result_id = f"{checked.digest}-{cell}" if cell else checked.digest
    if params.previous_result_id == result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id)
    return types.RelatedFullDocumentDiagnosticReport(
        items=ls.converter.diagnostics(checked.found, cell), result_id=result_id
    )
