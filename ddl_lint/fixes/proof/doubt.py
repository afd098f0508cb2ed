"""What speaks against a fix."""

from __future__ import annotations

from typing import NamedTuple


class Doubt(NamedTuple):
    """Why a fix is not safe, or no fix at all."""

    reason: str
    """A half sentence."""

    is_certain: bool = False
    """Whether the fix surely does not work, so that it is not offered."""
