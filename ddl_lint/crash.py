"""Faults of ours: an exception costs what was being done, and is reported as a finding; all else goes on."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from ddl_lint.ending import Stopped
from ddl_lint.finding import Finding, RuleFinding
from ddl_lint.memory_limit import memory_limit
from ddl_lint.source.span import Location

CRASHED = "DDL002"

NOT_OURS = (KeyboardInterrupt, SystemExit, GeneratorExit, Stopped)
"""Exceptions that say that somebody wants an end. All others are faults of ours, also those of native code, which are
no `Exception`."""

_verbose = False


def show_tracebacks(wanted: bool) -> None:
    """Whether tracebacks of faults go to stderr also without DDL_LINT_DEBUG in the environment."""
    global _verbose
    _verbose = wanted


def reason(error: BaseException) -> str:
    """What went wrong, for people; with DDL_LINT_DEBUG in the environment, the traceback goes to stderr, as with -v."""
    if _verbose or os.environ.get("DDL_LINT_DEBUG"):
        traceback.print_exception(type(error), error, error.__traceback__)
    if isinstance(error, MemoryError):
        limit = memory_limit()
        return f"it needs more memory than {f'the {limit} that ' if limit else ''}it may have"
    return f"{type(error).__name__}: {error}".removesuffix(": ")


def crash(what: str, error: BaseException, location: Location) -> RuleFinding:
    """The finding that tells of a fault: `what` failed, at a place of the checked program. Where it is the code of a
    rule that failed, it says where in it: the checked file is not to blame.
    """
    failed = _place_in_rule(error)
    where = f"at {failed}, not because of this file" if failed else "on this file"
    return RuleFinding(CRASHED, Finding(f"{what} failed {where}: {reason(error)}", location))


def with_place(error: BaseException) -> str:
    """What went wrong in a rule, and where in its code."""
    failed = _place_in_rule(error)
    return f"{reason(error)} ({failed})" if failed else reason(error)


def _place_in_rule(error: BaseException) -> str:
    """The innermost line of a rule's own code in which an error was raised, such as
    `acme_rules/training/lost_rank/check.py:12`; empty where no rule took part.
    """
    frames = [(frame.filename, frame.lineno or 0) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename is not None:
        frames.append((error.filename, error.lineno or 0))
    for name, line in reversed(frames):
        file = Path(name)
        if (file.parent / "rule.yaml").is_file():
            return f"{file.relative_to(file.parents[3]).as_posix() if len(file.parts) > 4 else name}:{line}"
    return ""


@contextmanager
def contained(
    crashes: list[RuleFinding],
    what: str,
    location: Location,
    place_of: Callable[[BaseException], Location | None] = lambda _: None,
) -> Generator[None]:
    """Ends the block where it raises an error, and adds a finding about it.

    It is at `location` unless `place_of` knows a nearer place.
    """
    try:
        yield
    except NOT_OURS:
        raise
    except BaseException as error:
        crashes.append(crash(what, error, place_of(error) or location))
