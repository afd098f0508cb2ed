"""Files were written, created or deleted, by whomever."""

from __future__ import annotations

import posixpath

from lsprotocol import types

from ddl_lint.jobs.file_names import is_job_file, may_be_data
from ddl_lint_server.state import Server

METHOD = types.WORKSPACE_DID_CHANGE_WATCHED_FILES


def handle(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Check again what is open, if that may matter to it."""
    if any(_matters(ls, change) for change in params.changes):
        ls.disk_changed()


def _matters(ls: Server, change: types.FileEvent) -> bool:
    """Whether a change may show in findings. Of an open program the text in the editor counts, whatever is written; but
    the versions that a launch file pins are those on the disk. JSON files that look like data change all the time.
    """
    path = ls.documents.path(change.uri)
    if may_be_data(posixpath.basename(path)) and not ls.documents.of(change.uri):
        return False
    return change.type != types.FileChangeType.Changed or is_job_file(path) or not ls.documents.of(change.uri)
