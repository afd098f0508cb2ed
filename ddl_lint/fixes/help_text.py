"""The help that is shown beside a fix: it speaks of what the fix speaks of."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from ddl_lint.finding import Fix

_CALL = re.compile(r"((?:\w+\.)*\w+)\.(\w+)\(([^()]*)\)")
"""A method that is called: of what, its name, and what it is given."""

_SNIPPET = re.compile(r"`[^`]+`")


def help_beside(help: str, fix: Fix | None) -> str:
    """A help text as it is shown beside a fix: where both call a method, on the same object, named as the fix does it.

    A help that shows another call than the fix gives way to the title of the fix.
    """
    if fix is None:
        return help
    written = _calls("\n".join(edit.text for edit in fix.edits))
    for snippet in _SNIPPET.findall(help):
        for name, shown in _calls(snippet).items():
            others = written.get(name, {})
            for owner, given in shown.items():
                if not others or owner in others:
                    continue
                if list(others.values()) != [given]:
                    return f"{fix.title}."
                help = _renamed(help, owner, next(iter(others)))
    return help


def _calls(text: str) -> Mapping[str, Mapping[str, str]]:
    """The methods that are called in a piece of code: name -> of what -> what it is given."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for owner, name, given in _CALL.findall(text):
        found[name][owner] = given
    return found


def _renamed(help: str, old: str, new: str) -> str:
    """A text that has another name in its pieces of code."""
    name = re.compile(rf"(?<![\w.]){re.escape(old)}(?!\w)")
    return _SNIPPET.sub(lambda snippet: name.sub(new, snippet[0]), help)
