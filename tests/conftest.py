"""What holds for all tests."""

from __future__ import annotations

import gc
import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ddl_lint.checked_folders import set_checked

_state = ""


def pytest_configure() -> None:
    """Thousands of tests and all that they import live until the end: looking for garbage among them often is slow."""
    global _state
    gc.set_threshold(50_000, 20, 100)
    _state = os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="ddl-lint-state-")


def pytest_unconfigure() -> None:
    """Journals of changes were not written among those of the user."""
    shutil.rmtree(_state, ignore_errors=True)


def pytest_collection_finish() -> None:
    """Tests look for the garbage that they make, not among what was there before them."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def nothing_is_checked() -> None:
    """What an earlier test has checked in this process says nothing of the next."""
    set_checked([])


@pytest.fixture(scope="session")
def new_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Names of folders that are not there yet."""
    base = tmp_path_factory.mktemp("tests")
    return (base / str(number) for number in itertools.count())


@pytest.fixture
def tmp_path(new_folders: Iterator[Path]) -> Path:
    """A folder for one test. pytest's own looks through those of all tests before it, and links to the newest."""
    folder = next(new_folders)
    folder.mkdir()
    return folder
