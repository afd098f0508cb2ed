"""The client asks for the findings of all files in the workspace."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

from lsprotocol import types

from ddl_lint_server.messages import Checked, Found, Place, Related
from ddl_lint_server.progress import ScanProgress
from ddl_lint_server.settings import options_of
from ddl_lint_server.state import Server
from ddl_lint_server.texts import uri_of

METHOD = types.WORKSPACE_DIAGNOSTIC


async def handle(ls: Server, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
    """Check all projects; tell how far it is, if the client wants to know, and end early if it does not any more. Where
    the settings of all folders want open files only, nothing else is looked at.
    """
    workspace, found = ls.documents.workspace, dict[str, Checked]()
    if any(options_of(workspace, folder).is_workspace_shown for folder in workspace.folders):
        async with ScanProgress(ls, params.work_done_token) as progress:
            scanned = await ls.scan.latest(
                lambda done, count, folder: progress.tell(done, count, os.path.basename(folder)),
                lambda: progress.is_cancelled,
            )
        found = {path: each for path, each in scanned.items() if _is_wanted(ls, path)}
    previous = {each.uri: each.value for each in params.previous_result_ids}
    items: list[types.WorkspaceDocumentDiagnosticReport] = []
    for path, checked in sorted(found.items()):
        items.extend(_reports(ls, path, checked, previous))
    told = {item.uri for item in items} | {subject.uri for subject in ls.documents}
    items.extend(
        types.WorkspaceFullDocumentDiagnosticReport(uri=uri, items=[], version=None)
        for uri in previous
        if uri not in told and not _is_open_cell(ls, uri)
    )
    return types.WorkspaceDiagnosticReport(items)


def _is_wanted(ls: Server, path: str) -> bool:
    """Whether findings in a file are shown: in those that are open, always."""
    return ls.documents.at(path) is not None or options_of(ls.documents.workspace, path).is_workspace_shown


def _is_open_cell(ls: Server, uri: str) -> bool:
    return ls.documents.cell(uri) > 0


def _reports(
    ls: Server, path: str, checked: Checked, previous: dict[str, str]
) -> Iterator[types.WorkspaceDocumentDiagnosticReport]:
    subject = ls.documents.at(path)
    if subject is not None and subject.notebook is not None:
        return  # its cells are documents, which are asked for one by one
    if checked.stamp != (subject.stamp if subject is not None else 0):
        return  # it has changed meanwhile, and the client will ask again
    uri = subject.uri if subject is not None else uri_of(path)
    version = subject.version if subject is not None else None
    if previous.get(uri) == checked.digest:
        yield types.WorkspaceUnchangedDocumentDiagnosticReport(uri=uri, result_id=checked.digest, version=version)
        return
    diagnostics = [ls.converter.diagnostic(_in_file(each)) for each in checked.found]
    yield types.WorkspaceFullDocumentDiagnosticReport(
        uri=uri, items=diagnostics, version=version, result_id=checked.digest
    )


def _in_file(found: Found) -> Found:
    """A finding in a notebook that is not open: its file has no lines that people know, so the texts say where."""
    if not found.place.cell:
        return found
    path = found.place.path
    related = tuple(
        Related(_with_cell(each.place, each.message), _start_of(path)) if each.place.path == path else each
        for each in found.related
    )
    return replace(found, message=_with_cell(found.place, found.message), place=_start_of(path), related=related)


def _with_cell(place: Place, message: str) -> str:
    return f"cell {place.cell}, line {place.start_line + 1}: {message}"


def _start_of(path: str) -> Place:
    return Place(path, 0, 0, 0, 0, 0)
