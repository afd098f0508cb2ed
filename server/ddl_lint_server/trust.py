"""What an editor shows is not trusted to say what was found in it: results are not stored there, and none are read."""

from __future__ import annotations

import os
from collections.abc import Iterable

from ddl_lint.checked_folders import set_checked
from ddl_lint.project.project_context import checked_roots, marked_folders
from ddl_lint.storage import own_storage


def distrust(folders: Iterable[str] = (), files: Iterable[str] = ()) -> None:
    """Trust nothing in the folders of the workspace and in the projects of open files; and in no project that a cache
    folder lies in, for this process begins before it knows the workspace.
    """
    cache = own_storage().folder
    projects = {root for parent in {os.path.dirname(file) for file in files} for root in marked_folders(parent)}
    set_checked({*checked_roots(folders), *projects, *(marked_folders(cache) if cache is not None else ())})
