"""The user breaks off what a progress bar tells of."""

from __future__ import annotations

from lsprotocol import types

from ddl_lint_server.state import Server

METHOD = types.WINDOW_WORK_DONE_PROGRESS_CANCEL


def handle(ls: Server, params: types.WorkDoneProgressCancelParams) -> None:
    """Note the token. It can come before the work that it ends has begun: both messages may be read in one go."""
    ls.broken_off.append(params.token)
