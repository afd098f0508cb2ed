"""The messages that the rules quote of what users see, in parts: the source of the page that finds rules by message."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ddl_lint.pages.error_messages import error_messages
from ddl_lint.registry.rules import Rule

_LEAST = 14
"""Characters that a phrase must have beside what varies."""

_VARIES = re.compile(
    r"\.\.\.|'[^']*'|\"[^\"]*\"|[\w.]*/[\w./-]+|0x[0-9a-f]+|\d+(?:\.\d+)*|\[[^\]]*\]|`[^`]*`", re.IGNORECASE
)
_EXCEPTION = re.compile(r"\b[A-Z]\w+(?:Error|Exception)\b")
_BEFORE = re.compile(r"^[\w.]*(?:Error|Exception|Warning)\b:? ?")


class Phrases:
    """What each rule says that users see."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._known = {rule.name: list(_phrases(rule)) for rule in rules if not rule.info.is_engine}

        self._exceptions = {rule.name: frozenset(_EXCEPTION.findall(rule.info.why)) for rule in rules}

    def exceptions(self, name: str) -> frozenset[str]:
        """The exceptions that a rule says users see."""
        return self._exceptions.get(name, frozenset())

    def explains(self, name: str, text: str) -> bool:
        """Whether a rule quotes a message: numbers, names and paths in it may be others."""
        plain = _squeezed(text)
        return any(_holds(plain, parts) for parts in self._known.get(name, ()))

    def rules_for(self, text: str) -> Sequence[str]:
        """The rules that quote a message."""
        plain = _squeezed(text)
        return [name for name, known in self._known.items() if any(_holds(plain, parts) for parts in known)]


def _phrases(rule: Rule) -> Iterator[tuple[str, ...]]:
    for message in error_messages(rule):
        parts = tuple(part for part in _VARIES.split(_BEFORE.sub("", _squeezed(message))) if part.strip())
        if sum(map(len, parts)) >= _LEAST:
            yield parts


def _holds(text: str, parts: Sequence[str]) -> bool:
    """Whether a text has some parts in this order."""
    at = 0
    for part in parts:
        found = text.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return True


def _squeezed(text: str) -> str:
    return " ".join(text.split())[:2000]
