"""The rules that are installed, for the commands that need them."""

from __future__ import annotations

from ddl_lint.checked_folders import set_checked
from ddl_lint.commands.console import complain
from ddl_lint.project.project_context import marked_folders
from ddl_lint.registry import rules
from ddl_lint.registry.rules import Installed
from ddl_lint.storage import Storage


def installed_rules(storage: Storage | None = None) -> Installed:
    """The rules. Tells, once, of all that is wrong with those that cannot be used. Without a storage the user's is
    asked, unless it lies in the project around the working directory.
    """
    if storage is None:
        set_checked(marked_folders("."))
    found = rules.installed(storage)
    if found.mistakes:
        complain("\n  ".join(["not all rules can be used:", *found.mistakes]))
    return found
