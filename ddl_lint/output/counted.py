"""Numbers with their nouns."""

from __future__ import annotations


def counted(number: int, noun: str, plural: str = "") -> str:
    """Such as `1 file` and `3 files`; `plural` where it does not end with `s` alone."""
    return f"{number} {noun}" if number == 1 else f"{number} {plural or noun + 's'}"
