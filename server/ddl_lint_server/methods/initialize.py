"""The client says what it can do, and which folders it shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from lsprotocol import types

from ddl_lint.search_path import leave_projects_out
from ddl_lint.source import ColumnUnit
from ddl_lint_server.client_settings import folders_of, take_settings
from ddl_lint_server.convert import Abilities
from ddl_lint_server.state import Server

METHOD = types.INITIALIZE


def handle(ls: Server, params: types.InitializeParams) -> None:
    """Take that in. Findings are either pushed or pulled: a client that gets both shows them twice."""
    ls.begin()
    ls.can = Abilities.of(params.capabilities, params.client_info.name if params.client_info is not None else "")
    of_extension = _said_by_our_extension(params.initialization_options)
    ls.can = replace(
        ls.can,
        runs_links=of_extension.get("commandLinks") is True,
        rule_page_scheme=str(of_extension.get("rulePageScheme") or ""),
    )
    if not ls.can.pulls:
        ls.only_pushes()
    unit = ColumnUnit(str(getattr(ls.workspace.position_encoding, "value", ls.workspace.position_encoding)))
    ls.documents.texts.unit = unit
    folders = folders_of(ls)
    leave_projects_out([path for path, _ in folders])  # the server may have been started elsewhere
    take_settings(ls, unit, folders, params.initialization_options)
    ls.worker.warm_up()


def _said_by_our_extension(options: object) -> Mapping[str, object]:
    """What no capability of the protocol tells."""
    return cast("Mapping[str, object]", options) if isinstance(options, Mapping) else {}
