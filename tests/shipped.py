"""The API models that we ship, read once for all tests of a process."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.frameworks.loader import load_models
from ddl_lint.frameworks.model import FrameworkModels

MODEL_FILES = sorted((Path(__file__).parents[1] / "rules" / "ddl_lint_rules" / "models").glob("*.yaml"))


@cache
def shipped_models() -> tuple[FrameworkModels, ...]:
    """The models of all files, in the order of the files."""
    return load_models({path.name: path.read_text(encoding="utf-8") for path in MODEL_FILES})


@cache
def shipped_index() -> ApiIndex:
    """All of them together."""
    return ApiIndex.of(shipped_models())
