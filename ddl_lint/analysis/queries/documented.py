"""What the pages of a project say of its files."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from ddl_lint.analysis.jobs_view import JobsView


def is_documented(around: JobsView, path: str) -> bool:
    """Whether a project says that a file is to be run: a page for people, or another launch file, names it. A project
    without pages says that of no file, so it counts for all.
    """
    pages = around.jobs.pages
    if not pages or path in pages:
        return True
    name = re.compile(rf"(?<![\w-]){re.escape(PurePosixPath(path).name)}\b")
    texts = (file.text for file in around.jobs.files.values() if file.path != path)
    return any(name.search(text) is not None for text in (*pages.values(), *texts))
