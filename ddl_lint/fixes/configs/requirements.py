"""Edits of requirements, in files of them and in commands that install them."""

from __future__ import annotations

import re

from ddl_lint.finding import Fix
from ddl_lint.fixes.configs.edits import replacing
from ddl_lint.jobs.requirements import Pin


def requiring(title: str, pin: Pin, specifier: str) -> Fix | None:
    """A fix that gives a requirement another version; None where it is written in a form that cannot be taken over."""
    if pin.in_command:
        extras = f"[{','.join(sorted(pin.extras))}]" if pin.extras else ""
        return replacing(title, pin.location, as_word(f"{pin.spelled}{extras}{specifier}")) if pin.spelled else None
    return replacing(title, pin.version_location, specifier) if pin.version_location is not None else None


def as_word(text: str) -> str:
    """A requirement as a word of a command: a shell takes `<`, `>` and brackets for signs of its own."""
    return text if re.fullmatch(r"[\w.,=+-]*", text) else f'"{text}"'
