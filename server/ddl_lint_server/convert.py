"""Findings to what the protocol calls diagnostics."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

from lsprotocol import types

from ddl_lint_server.documents import Documents
from ddl_lint_server.messages import Change, Found, Place

SOURCE = "ddl-lint"

SHOW_RULE = "ddl-lint.server.showRule"
"""The command that shows the page of a rule. Argument: its code or name."""

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
    "info": types.DiagnosticSeverity.Hint,
}
_UNNECESSARY = frozenset({"DDL004"})
"""What can go without loss: a comment that hides nothing."""


@dataclass(frozen=True)
class Abilities:
    """What a client can take."""

    related: bool = False
    links: bool = False
    tags: bool = False
    data: bool = False
    pulls: bool = False
    refreshes: bool = False
    versioned_edits: bool = False
    resolves_edits: bool = False
    progress: bool = False
    watches: bool = False
    configures: bool = False
    reconfigures: bool = False
    shows_documents: bool = False
    disables_actions: bool = False
    """Shows actions that cannot be chosen, with the reason."""

    creates_files: bool = False
    runs_links: bool = False
    """Links in hovers may run commands: no capability of the protocol tells that, but our extension does."""

    rule_page_scheme: str = ""
    """The scheme of the documents in which the client shows the pages of rules; empty: it shows none."""

    @classmethod
    def of(cls, client: types.ClientCapabilities, name: str = "") -> Abilities:
        """Those that a client of some name declares.

        One that pulls, but cannot be asked to pull again, would keep what was found before another file has changed:
        findings are pushed to it. So they are to Neovim, which answers that request by asking for the workspace, and
        leaves out of the answer what it has open.
        """
        text = client.text_document or types.TextDocumentClientCapabilities()
        workspace = client.workspace or types.WorkspaceClientCapabilities()
        shown = text.publish_diagnostics or types.PublishDiagnosticsClientCapabilities()
        pulled = text.diagnostic
        actions = text.code_action or types.CodeActionClientCapabilities()
        edits = workspace.workspace_edit or types.WorkspaceEditClientCapabilities()
        resolved = actions.resolve_support.properties if actions.resolve_support is not None else ()
        files = workspace.did_change_watched_files
        settings = workspace.did_change_configuration
        refreshes = bool(workspace.diagnostics is not None and workspace.diagnostics.refresh_support)
        return cls(
            related=bool(shown.related_information or (pulled is not None and pulled.related_information)),
            links=bool(shown.code_description_support or (pulled is not None and pulled.code_description_support)),
            tags=bool(shown.tag_support or (pulled is not None and pulled.tag_support)),
            data=bool(shown.data_support or (pulled is not None and pulled.data_support)),
            pulls=pulled is not None and refreshes and name != "Neovim",
            refreshes=refreshes,
            versioned_edits=bool(edits.document_changes),
            resolves_edits="edit" in resolved and bool(actions.data_support),
            progress=bool(client.window is not None and client.window.work_done_progress),
            watches=bool(files is not None and files.dynamic_registration),
            creates_files=bool(edits.document_changes)
            and types.ResourceOperationKind.Create in (edits.resource_operations or ()),
            disables_actions=bool(actions.disabled_support),
            configures=bool(workspace.configuration),
            reconfigures=bool(settings is not None and settings.dynamic_registration),
            shows_documents=bool(
                client.window is not None
                and client.window.show_document is not None
                and client.window.show_document.support
            ),
        )


@dataclass(frozen=True)
class Converter:
    """Makes what a client is sent, in the form that it can take."""

    documents: Documents
    can: Abilities

    def diagnostics(self, found: Iterable[Found], cell: int = 0) -> list[types.Diagnostic]:
        """The findings of a document as diagnostics; of a notebook, those in one of its cells."""
        return [self.diagnostic(each) for each in found if each.place.cell == cell]

    def diagnostic(self, found: Found) -> types.Diagnostic:
        """One finding."""
        related = [
            types.DiagnosticRelatedInformation(self.location(each.place), each.message) for each in found.related
        ]
        message, href = found.message, self.href(found)
        if related and not self.can.related:
            message += "".join(f"\n  {_shown(each)}: {each.message}" for each in related)
        return types.Diagnostic(
            range=range_of(found.place),
            severity=_SEVERITIES[found.severity],
            code=found.code or None,
            code_description=types.CodeDescription(href) if href and self.can.links else None,
            source=SOURCE,
            message=message,
            tags=_tags(found) if self.can.tags else None,
            related_information=related if related and self.can.related else None,
            data=found.id if self.can.data else None,
        )

    def href(self, found: Found) -> str:
        """What opens the page of a finding's rule; empty if nothing does."""
        if found.href or not found.code or not self.can.rule_page_scheme:
            return found.href
        return f"{self.can.rule_page_scheme}:/{quote(f'{found.code} {found.name}')}"

    def link(self, found: Found) -> str:
        """The same for a link in Markdown, in which editors open no documents of other schemes."""
        if found.href or not found.code or not self.can.runs_links:
            return found.href
        return f"command:{SHOW_RULE}?{quote(json.dumps([found.name]), safe='')}"

    def location(self, place: Place) -> types.Location:
        """A place in the client's terms."""
        return types.Location(self.documents.uri_at(place), range_of(place))

    def edit(self, changes: Iterable[Change], new: Iterable[str] = ()) -> types.WorkspaceEdit:
        """Changes that belong together. Clients refuse those of another version, if they can be given the version.

        `new` are the URIs of files that are to be made before, by clients that can.
        """
        by_uri: dict[str, list[types.TextEdit]] = {}
        for change in changes:
            edit = types.TextEdit(range_of(change.place), change.text)
            by_uri.setdefault(self.documents.uri_at(change.place), []).append(edit)
        if not self.can.versioned_edits:
            return types.WorkspaceEdit(changes=by_uri)
        made = [types.CreateFile(uri, options=types.CreateFileOptions(ignore_if_exists=True)) for uri in new]
        return types.WorkspaceEdit(
            document_changes=[
                *made,
                *(
                    types.TextDocumentEdit(
                        types.OptionalVersionedTextDocumentIdentifier(uri, self.documents.version_at(uri)), edits
                    )
                    for uri, edits in by_uri.items()
                ),
            ]
        )


def _tags(found: Found) -> list[types.DiagnosticTag] | None:
    """How an editor draws the code: faded, or struck through."""
    tags = [types.DiagnosticTag.Unnecessary] if found.code in _UNNECESSARY else []
    return [*tags, types.DiagnosticTag.Deprecated] if found.is_deprecated else tags or None


def range_of(place: Place) -> types.Range:
    """The range of a place."""
    return types.Range(
        types.Position(place.start_line, place.start_column), types.Position(place.end_line, place.end_column)
    )


def _shown(related: types.DiagnosticRelatedInformation) -> str:
    name = related.location.uri.rpartition("/")[2]
    return f"{name}:{related.location.range.start.line + 1}"
