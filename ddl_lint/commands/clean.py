"""`ddl-lint clean`: deletes stored results."""

from __future__ import annotations

import argparse

from ddl_lint.commands.console import write
from ddl_lint.commands.outcome import CLEAN, UserError
from ddl_lint.storage import own_storage


def run(options: argparse.Namespace) -> int:
    """Delete them all, and tell how much that was. Raises `UserError` for a folder that is no cache of ours."""
    storage = own_storage(options.cache_dir)
    if storage.folder is not None and storage.folder.exists() and not storage.is_tagged():
        raise UserError(
            f"{storage.folder} has no CACHEDIR.TAG of ddl-lint, so it may not be a cache of ours: nothing was deleted"
        )
    cleared = storage.clear()
    if storage.folder is None:
        write("There is no folder for stored results: this user has no home.\n")
    elif not cleared.entries:
        write(f"Nothing is stored in {storage.folder}.\n")
    else:
        entries = "1 entry" if cleared.entries == 1 else f"{cleared.entries:,} entries"
        write(f"Deleted {entries} ({cleared.size / 1e6:.1f} MB) from {storage.folder}.\n")
    return CLEAN
