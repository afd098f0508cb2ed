"""What became of the job that wrote a log, for an editor: a page whose places open in it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ddl_lint.diagnose import answer, read, read_code
from ddl_lint.diagnose.shown import Look, render
from ddl_lint.registry.rules import Installed, Rule
from ddl_lint.storage import user_storage
from ddl_lint_server.messages import TextAnswer

_LARGEST = 1_000_000_000
"""Bytes: what is larger takes longer than somebody waits for who has the log before the eyes."""


def diagnosed(log: str, folder: Path, rules: Sequence[Rule]) -> str | TextAnswer:
    """The page about a log and the code in a folder; else why there is none. Nothing of either is run."""
    try:
        size = os.stat(log).st_size
    except OSError as error:
        return TextAnswer(f"{log} cannot be read: {error.strerror or error}", is_fault=True)
    if size > _LARGEST:
        return TextAnswer("the log is too large for an editor: run `ddl-lint diagnose` in a terminal", is_fault=True)
    found = read([log])
    if not found.files:
        return TextAnswer("; ".join(found.problems) or "there is no log to read", is_fault=True)
    usable = [rule for rule in rules if rule.info.summary]
    installed = Installed(usable, [rule for rule in rules if not rule.info.summary], [])
    # The log is on the screen already: the page may name the places in it.
    return render(answer(found, lambda: read_code(folder, installed, user_storage()), installed), "html", Look())
