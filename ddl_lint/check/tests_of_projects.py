"""Which files only a runner of tests starts: pytest, say."""

from __future__ import annotations

import re
from pathlib import PurePath

TEST_FOLDERS = frozenset({"test", "tests"})
_TEST = re.compile(r"test_.*|.*_test|conftest")


def is_of_tests(path: str, root: str = "/") -> bool:
    """Whether a file is a test, by its name or the folders that it is in below a root; or a folder, one of tests."""
    file = PurePath(path)
    below = file.relative_to(root) if file.is_relative_to(root) else file
    folders = below.parts[:-1] if file.suffix == ".py" else below.parts
    return not TEST_FOLDERS.isdisjoint(folders) or (file.suffix == ".py" and _TEST.fullmatch(file.stem) is not None)
