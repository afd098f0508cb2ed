"""Lets a key of a layout map match the whole path of a weight."""

from __future__ import annotations

import re

from ddl_lint.rulekit import Applicability, Event, Fix, Location, RunView, Unfixable, code, file_of

_OPENING = re.compile(r"[rRuU]?(\"\"\"|\'\'\'|\"|\')")


def match_whole_path(run: RunView, event: Event, key: Location) -> Fix:
    """`"dense.*kernel"` to `".*dense.*kernel"`."""
    del event
    file = file_of(run, key)
    literal = file.node(key, code.Literal)
    opening = _OPENING.match(file.source(literal))
    if opening is None:
        raise Unfixable("the key has a form that cannot be taken over")
    start = literal.start + opening.end()
    return Fix("Let the key match the whole path", (file.edit(start, start, ".*"),), Applicability.SAFE)
