"""The command line: reads the options, runs the command, and says how it ended.

Each command is a module of its own, imported when it is called, so that `--version` and `--help` answer at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from ddl_lint import ending
from ddl_lint.commands.console import complain, flush, never_fail_to_print, open_closed_streams, say, write
from ddl_lint.commands.outcome import CLEAN, FAILURE, INTERRUPTED, UserError
from ddl_lint.commands.terminal import choose_colour
from ddl_lint.memory_limit import limit_memory


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code: 0 clean, 1 findings, 2 misuse, unreadable input or our fault.

    Without arguments of its own it is the program: then signals are its business, and Ctrl-C ends the process.
    """
    if argv is not None:
        never_fail_to_print()
        return _ended(argv, is_program=False)
    open_closed_streams()
    never_fail_to_print()
    ending.be_terminated_whole()
    limit_memory()
    return _ended(sys.argv[1:], is_program=True)


def _ended(words: Sequence[str], *, is_program: bool) -> int:
    """The exit code of a command line, however it ends."""
    try:
        try:
            return _run(words)
        finally:
            flush()  # the help, for one, is still to be written
    except UserError as error:
        complain(str(error))
    except KeyboardInterrupt as interruption:
        if is_program:
            ending.be_interrupted_once()
        if str(interruption):  # it was expected
            say(str(interruption))
        else:
            complain("interrupted")
        if is_program:
            ending.leave(INTERRUPTED)
        return INTERRUPTED
    except Exception as error:
        if os.environ.get("DDL_LINT_DEBUG"):
            raise
        complain(
            f"ddl-lint itself failed: {type(error).__name__}: {error}\n"
            "Please report this; with DDL_LINT_DEBUG=1 in the environment the same command shows where it happened."
        )
    return FAILURE


def _run(words: Sequence[str]) -> int:
    if list(words) == ["--version"]:  # scripts ask for it again and again
        from ddl_lint.commands.version import version_line

        write(f"{version_line()}\n")
        return CLEAN
    from ddl_lint.commands.arguments import with_command
    from ddl_lint.commands.parser import COMMANDS, GENERAL, SHORT_HELP, command_line

    choose_colour("auto")
    words = with_command(words, COMMANDS, GENERAL)
    options = command_line(words).read(words)
    choose_colour(options.color)
    if not options.command and options.explain:
        words = ["explain", options.explain]
        options = command_line(words).read(words)
    if not options.command:
        say(SHORT_HELP.rstrip())
        return FAILURE
    options.words = tuple(words)
    return import_module(f"{__package__}.{options.command}").run(options)
