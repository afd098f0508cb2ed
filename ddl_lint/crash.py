"""Faults of ours: an exception costs what was being done, and is reported as a finding; all else goes on."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Generator
from contextlib import contextmanager

from ddl_lint.ending import Stopped
from ddl_lint.finding import Finding, RuleFinding
from ddl_lint.memory_limit import memory_limit
from ddl_lint.source.span import Location

CRASHED = "DDL002"

NOT_OURS = (KeyboardInterrupt, SystemExit, GeneratorExit, Stopped)
"""Exceptions that say that somebody wants an end. All others are faults of ours, also those of native code, which are
no `Exception`."""


def reason(error: BaseException) -> str:
    """What went wrong, for people; with DDL_LINT_DEBUG in the environment, the traceback goes to stderr."""
    if os.environ.get("DDL_LINT_DEBUG"):
        traceback.print_exception(type(error), error, error.__traceback__)
    if isinstance(error, MemoryError):
        limit = memory_limit()
        return f"it needs more memory than {f'the {limit} that ' if limit else ''}it may have"
    return f"{type(error).__name__}: {error}".removesuffix(": ")


def crash(what: str, error: BaseException, location: Location) -> RuleFinding:
    """The finding that tells of a fault: `what` failed, at a place of the checked program."""
    return RuleFinding(CRASHED, Finding(f"{what} failed on this file: {reason(error)}", location))


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
