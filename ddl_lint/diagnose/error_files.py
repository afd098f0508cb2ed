"""The error file that `@record` writes: the exception of one rank, with its stack."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from ddl_lint.diagnose.facts import LogPlace, Raised
from ddl_lint.diagnose.inputs import Input
from ddl_lint.diagnose.line_heads import Line
from ddl_lint.diagnose.tracebacks import Tracebacks


def error_file(data: bytes, source: Input) -> Raised | None:
    """The exception that an error file tells; None for other content."""
    try:
        found: Any = json.loads(data)
        message: Any = found["message"]
        is_plain = isinstance(message, str)
        said = str(message if is_plain else message["message"])
        stack = "" if is_plain else str(message.get("extraInfo", {}).get("py_callstack", ""))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    place = LogPlace(source.path)
    tracebacks = Tracebacks()
    text = stack if "Traceback (most recent call last" in stack else f"Traceback (most recent call last):\n{said}"
    for line in text.splitlines():
        tracebacks.take(Line(line, None, None, None, None), place, source.rank, None)
    raised = tracebacks.raised[-1] if tracebacks.raised else None
    return None if raised is None else replace(raised, rank=source.rank)
