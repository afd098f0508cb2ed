"""The client says what it can do, and which folders it shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from lsprotocol import types

from ddl_lint.source import ColumnUnit
from ddl_lint_server.client_settings import folders_of, take_settings
from ddl_lint_server.convert import Abilities
from ddl_lint_server.state import Server

METHOD = types.INITIALIZE


def handle(ls: Server, params: types.InitializeParams) -> None:
    """Take that in. Findings are either pushed or pulled: a client that gets both shows them twice."""
    ls.begin()
    ls.can = Abilities.of(params.capabilities, params.client_info.name if params.client_info is not None else "")
    ls.can = replace(ls.can, runs_links=_runs_links(params.initialization_options))
    if not ls.can.pulls:
        ls.only_pushes()
    unit = ColumnUnit(str(getattr(ls.workspace.position_encoding, "value", ls.workspace.position_encoding)))
    ls.documents.texts.unit = unit
    take_settings(ls, unit, folders_of(ls), params.initialization_options)
    ls.worker.warm_up()


def _runs_links(options: object) -> bool:
    return isinstance(options, Mapping) and cast("Mapping[str, object]", options).get("commandLinks") is True
