"""Findings for programs that read line by line: each line is one of the `diagnostics` of the format `json`."""

from __future__ import annotations

import json

from ddl_lint.escape import harmless_json
from ddl_lint.output.json import diagnostics
from ddl_lint.output.shown import Shown


def render(shown: Shown) -> str:
    """One line for each finding; nothing when there are none."""
    return "".join(f"{harmless_json(json.dumps(fields))}\n" for fields in diagnostics(shown))
