"""`ddl-lint server`: found by the command line through its entry point, and run over stdin and stdout."""

from __future__ import annotations

import io
import os
import sys

from ddl_lint import ending

_INTERRUPTED = 130  # what a shell reports for Ctrl-C


def main() -> int:
    """Serve until the client is gone. The exit code is 0 if it said good-bye."""
    stdin, stdout = _take_streams()
    # The worker's interpreter looks for the first modules that it imports in its working directory, and ours may be a
    # workspace that is to be checked. In the folder of the standard library it finds nothing else.
    started_in = os.getcwd()
    os.chdir(os.path.dirname(os.__file__))
    if policy := os.environ.get("DDL_LINT_POLICY"):  # a relative one is meant from where the editor started us
        os.environ["DDL_LINT_POLICY"] = os.path.join(started_in, policy)

    ending.be_interrupted_at_once(_INTERRUPTED)
    import logging

    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    logging.getLogger("pygls").setLevel(logging.WARNING)

    from ddl_lint_server.methods import register
    from ddl_lint_server.state import Server
    from ddl_lint_server.trust import distrust

    distrust()
    server = Server()
    register(server)
    try:
        server.start_io(stdin, stdout)
    finally:
        server.end_workers()
    return 0 if server.was_shut_down else 1


def _take_streams() -> tuple[io.BufferedReader, io.BufferedWriter]:
    """The client's streams, for us alone. Whatever prints, here or in a child, prints to stderr instead."""
    stdin = os.fdopen(os.dup(0), "rb")
    stdout = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return stdin, stdout
