"""What holds for all tests."""

from __future__ import annotations

import gc


def pytest_configure() -> None:
    """Thousands of tests and all that they import live until the end: looking for garbage among them often is slow."""
    gc.set_threshold(50_000, 20, 100)


def pytest_collection_finish() -> None:
    """Tests look for the garbage that they make, not among what was there before them."""
    gc.collect()
    gc.freeze()
