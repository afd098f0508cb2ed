"""What each command that reads code does first: it learns what not to trust, and brings to an end what is left over."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ddl_lint.checked_folders import set_checked
from ddl_lint.commands.console import say
from ddl_lint.escape import one_line
from ddl_lint.fixes.left_over import unsettled
from ddl_lint.project.project_context import checked_roots
from ddl_lint.storage import distrusted


def begin(paths: Iterable[str | Path], cache: Path | None = None, *, notes: bool = True) -> None:
    """Begin with the check of some paths. `cache` is the folder for stored results that the user has named; with
    `notes`, a note says when that is not used.
    """
    set_checked(checked_roots(paths))
    if unsettled():
        from ddl_lint.commands.interrupted import settle_changes

        settle_changes()
    left_out = distrusted(cache) if notes else None
    if left_out is not None:
        folder, around = map(str, left_out)
        say(
            one_line(
                f"note: stored results are not used: {folder} lies in {around}, which may be a stranger's; "
                "name a folder outside of it (DDL_LINT_CACHE_DIR, --cache-dir)"
            )
        )
