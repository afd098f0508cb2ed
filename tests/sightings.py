"""What was seen of faults is written down for the rules' pages, where `DDL_LINT_WITNESSED` names the file."""

from __future__ import annotations

import json
import os
from datetime import datetime, timezone
from pathlib import Path

import pytest

from stacks import STACKS, is_installed, version
from witnesses import Witness

_WRITTEN_DOWN = "DDL_LINT_WITNESSED"


def require(witness: Witness) -> None:
    """Skip a test whose framework or launcher is not here, unless all is to be seen anew."""
    if not is_installed(witness.stack):
        assert _WRITTEN_DOWN not in os.environ, f"{witness.stack} must be there when all is seen anew"
        pytest.skip(f"needs {witness.stack}")


def write_down(witness: Witness) -> None:
    """Keep what was seen, beside what is known of others; other processes may be about to do the same.

    The day stays that on which all was seen to be so for the first time.
    """
    if _WRITTEN_DOWN not in os.environ:
        return
    import fcntl  # which Windows does not have

    with Path(os.environ[_WRITTEN_DOWN]).open("r+", encoding="utf-8") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        known: dict[str, dict[str, dict[str, str]]] = json.load(stream)
        runs = known.setdefault(witness.rule, {})
        day = runs.get(witness.stack, {}).pop("day", "")
        seen = _seen(witness)
        if runs.get(witness.stack) != seen or not day:
            day = datetime.now(timezone.utc).date().isoformat()
        runs[witness.stack] = {**seen, "day": day}
        stream.seek(0)
        stream.truncate()
        json.dump({rule: dict(sorted(known[rule].items())) for rule in sorted(known)}, stream, indent=2)
        stream.write("\n")


def _seen(witness: Witness) -> dict[str, str]:
    stack = STACKS[witness.stack]
    seen = {"version": version(witness.stack), "outcome": witness.outcome}
    if stack.beside:
        seen["with"] = f"{stack.beside} {version(stack.beside)}"
    if stack.changes:
        seen["changes"] = stack.changes
    return seen
