"""The client wants us to end."""

from __future__ import annotations

from lsprotocol import types

from ddl_lint_server.state import Server

METHOD = types.SHUTDOWN


def handle(ls: Server, params: None) -> None:
    """End the workers; the server itself ends with `exit`."""
    ls.was_shut_down = True
    ls.schedule.stop()
    ls.end_workers()
