"""What an option is whose value is written on a command line."""

from __future__ import annotations

import re

from ddl_lint.program.values import Const, Value

WHOLE = re.compile(r"-?\d{1,12}")
_NUMBER = re.compile(r"-?\d{1,12}(?:\.\d{0,12})?(?:e-?\d{1,2})?")


def setting_of(text: str, default: Value | None) -> Const | None:
    """What an option takes a text for, which has a default of the same type; None where that is not known."""
    like = default.value if isinstance(default, Const) else None
    if isinstance(like, bool):
        return Const(text.lower() == "true") if text.lower() in ("true", "false") else None
    if isinstance(like, (int, float)):
        return Const(int(text) if WHOLE.fullmatch(text) else float(text)) if _NUMBER.fullmatch(text) else None
    return Const(text) if isinstance(like, str) or not _NUMBER.fullmatch(text) else None
