"""Command: check all projects of the workspace anew, as if every file had changed."""

from __future__ import annotations

from ddl_lint_server.state import Server

COMMAND = "ddl-lint.server.checkWorkspace"


async def run(ls: Server) -> None:
    """Check the open documents, and let a client that pulls ask for all the others."""
    ls.disk_changed()
    if ls.can.refreshes:
        ls.workspace_diagnostic_refresh(None)
