"""Pages that a browser shows, for editors without a panel of their own."""

from __future__ import annotations

import os
import tempfile

from lsprotocol import types

from ddl_lint.storage import cache_folder, make_cache_folder
from ddl_lint_server.protocol import refusal
from ddl_lint_server.state import Server


def show(ls: Server, content: str, name: str) -> None:
    """Open a page; the next one of the same name takes its place. Raises the refusal where there is none for it."""
    folder = cache_folder()
    if folder is None:
        raise refusal("there is no folder to write the page into")
    try:
        make_cache_folder(folder)
        handle, temporary = tempfile.mkstemp(dir=folder, suffix=".tmp")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(content)
        page = folder / name
        os.replace(temporary, page)
    except OSError:
        raise refusal("the page cannot be written") from None
    ls.window_show_document(types.ShowDocumentParams(page.as_uri(), external=True))
