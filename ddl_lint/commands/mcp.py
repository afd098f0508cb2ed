"""`ddl-lint mcp`: answers programs that write code, as a server of the Model Context Protocol."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from ddl_lint import __version__
from ddl_lint.commands.console import is_closed
from ddl_lint.commands.outcome import CLEAN, UserError

_INSTRUCTIONS = """\
ddl-lint reads distributed training code (PyTorch, DeepSpeed, Horovod, TensorFlow and others), its launch commands and
its configuration, and finds hangs, crashes and wrong results before the job starts. It runs and changes nothing. Call
`check` after each change of such code, `jobs` to see what the launch lines start, `trace` to see what the ranks of a
script do together, `diagnose` with the logs of a job that hung or failed, and `explain` before you argue with a
finding.
"""


def run(options: argparse.Namespace) -> int:
    """Serve until the client is gone. Raises `UserError` where the package that speaks the protocol is not installed,
    or there is no folder to read.
    """
    for stream in ("stdin", "stdout"):
        if is_closed(stream):
            raise UserError(f"{stream} is closed: the server talks with its client over stdin and stdout")
    folder: Path = options.folder
    if not folder.is_dir():
        raise UserError(f"{folder}: there is no such folder")
    if sys.stdin.isatty():
        raise UserError("a client starts this server, and talks with it over stdin and stdout; docs/agents.md says how")
    try:
        from mcp.server import MCPServer
        from mcp_types import ToolAnnotations
    except ImportError:
        raise UserError("the server needs the package mcp: pip install 'mcp>=2'") from None
    from ddl_lint.commands.mcp_tools import Tools

    server = MCPServer("ddl-lint", instructions=_INSTRUCTIONS, version=__version__, log_level="WARNING")
    reads = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    for tool in Tools(Path(os.path.realpath(folder))).all():
        server.add_tool(tool, annotations=reads, structured_output=False)
    server.run("stdio")
    return CLEAN
