"""Fixes of launch lines, configurations and requirements that replace a few characters."""

from __future__ import annotations

from ddl_lint.finding import Applicability, Edit, Fix
from ddl_lint.source.span import Location


def replacing(title: str, place: Location, text: str, unsafe: str = "") -> Fix:
    """A fix that puts a text in the place of another; `unsafe` says why it is not safe, if it is not."""
    applicability = Applicability.UNSAFE if unsafe else Applicability.SAFE
    return Fix(title, (Edit(place, text),), applicability, unsafe)


def inserting(title: str, path: str, offset: int, text: str, unsafe: str = "") -> Fix:
    """A fix that puts a text between others."""
    return replacing(title, Location(path, offset, offset), text, unsafe)
