"""`ddl-lint server`: runs the language server."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import metadata
from importlib.util import find_spec

from ddl_lint.commands.console import is_closed
from ddl_lint.commands.outcome import UserError

ENTRY_POINTS = "ddl_lint.commands"
"""The group of entry points with the functions of commands that are above this layer."""

NEEDED = ("lsprotocol", "pygls")
"""The packages of the extra `server`, which a check does without."""


def run(options: argparse.Namespace) -> int:
    """Serve until the editor ends the session. Raises `UserError` where the server is not installed."""
    del options
    for stream in ("stdin", "stdout"):
        if is_closed(stream):
            raise UserError(f"{stream} is closed: the server talks with an editor over stdin and stdout")
    # The server is above us and is not ours to import: it is found as rules are.
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise UserError(f"the language server needs the extra `server`: pip install {' '.join(missing)}")
    for entry in metadata.entry_points(group=ENTRY_POINTS, name="server"):
        serve: Callable[[], int] = entry.load()
        return serve()
    raise UserError("the language server is not installed; install the package `ddl-lint` again")
