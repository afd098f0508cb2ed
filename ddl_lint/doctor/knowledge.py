"""What is asked of an environment, as data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ddl_lint.jobs.known import read_data


@cache
def knowledge() -> Mapping[str, Any]:
    """The file `knowledge.yaml`."""
    return read_data(Path(__file__).with_name("knowledge.yaml"))
