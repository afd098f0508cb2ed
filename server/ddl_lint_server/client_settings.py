"""What holds for a session: the folders of the workspace and the editor's settings for each of them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from lsprotocol import types
from pygls import uris

from ddl_lint.source import ColumnUnit
from ddl_lint_server.configuration import SECTION, options_from, seconds_from
from ddl_lint_server.messages import Options, Workspace
from ddl_lint_server.state import Server
from ddl_lint_server.texts import path_of
from ddl_lint_server.trust import distrust

_PATIENCE = 3.0  # seconds that a client may take to tell its settings; it is better to check without than not at all


def folders_of(ls: Server) -> list[tuple[str, str]]:
    """The path and the URI of each workspace folder, the innermost first."""
    # The keys of the library are URIs without their quotes, which clients do not know, and which may be other folders.
    found = [folder.uri for folder in ls.workspace.folders.values()]
    if not found and ls.workspace.root_uri:
        found = [ls.workspace.root_uri]
    folders = [(path_of(uri, ""), uri) for uri in found if uris.uri_scheme(uri) == "file"]
    return sorted(folders, key=lambda folder: len(folder[0]), reverse=True)


def take_settings(
    ls: Server,
    unit: ColumnUnit,
    folders: Sequence[tuple[str, str]],
    settings: object,
    by_folder: Mapping[str, object] | None = None,
) -> None:
    """Let settings hold from now on; those `by_folder` (by path) in place of the others."""
    options: dict[str, Options] = {}
    for path in ("", *(path for path, _ in folders)):
        given = settings if by_folder is None else by_folder.get(path)
        options[path] = options_from(given, ls.log_later)
    if (seconds := seconds_from(settings, "debounce")) is not None:
        ls.schedule.debounce = seconds
    if (seconds := seconds_from(settings, "patience")) is not None:
        ls.schedule.patience = seconds
    if (seconds := seconds_from(settings, "time_limit")) is not None:
        ls.worker.limit = ls.aside.limit = max(seconds, 0.1)
    workspace = Workspace(unit, tuple(path for path, _ in folders), options, pages_as_files=not ls.can.rule_page_scheme)
    distrust(workspace.folders)
    if workspace != ls.documents.workspace:
        ls.documents.workspace = workspace
        ls.schedule.everything()


async def refresh_settings(ls: Server, sent: object = None) -> None:
    """Ask the client for its settings; or take those that it sent, if it cannot be asked."""
    workspace, folders = ls.documents.workspace, folders_of(ls)
    if ls.can.configures:
        items = [types.ConfigurationItem(scope_uri=uri, section=SECTION) for _, uri in folders]
        items.append(types.ConfigurationItem(section=SECTION))
        try:
            request = ls.workspace_configuration_async(types.ConfigurationParams(items))
            answers = await asyncio.wait_for(request, _PATIENCE)
        except Exception as error:
            ls.log(f"the editor did not tell its settings: {type(error).__name__}")
        else:
            paths = [*(path for path, _ in folders), ""]
            by_folder = {path: answer for path, answer in zip(paths, answers, strict=False) if answer is not None}
            if by_folder:
                take_settings(ls, workspace.unit, folders, by_folder.get(""), by_folder)
                return
    if sent:
        take_settings(ls, workspace.unit, folders, sent)
    elif tuple(path for path, _ in folders) != workspace.folders:
        distrust(path for path, _ in folders)
        default = workspace.options.get("", Options())
        options = {path: workspace.options.get(path, default) for path, _ in folders}
        ls.documents.workspace = replace(workspace, folders=tuple(options), options={"": default, **options})
