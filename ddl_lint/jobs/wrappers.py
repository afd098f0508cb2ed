"""The programs that run the command after them, as `facts/wrappers.yaml` describes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ddl_lint.jobs.known import facts
from ddl_lint.jobs.words import Word


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A program that runs the command after it; names as in `facts/wrappers.yaml`."""

    runs: frozenset[str] = frozenset()
    """The subcommands that run a command; empty where there are none."""

    has_image: bool = False
    """Whether a word after the options names what the command runs in."""

    flags: frozenset[str] = frozenset()
    """Options that take no word, without dashes; all others do."""

    def command_from(self, words: Sequence[Word], at: int) -> int:
        """From where on a word may be the command that it runs; the number of the words where it runs none.

        Args:
            words: Those of the whole command.
            at: Where those after its own name begin.
        """
        if not self.runs:
            return at
        found = next((each for each in range(at, len(words)) if words[each].value in self.runs), None)
        if found is None:
            return at if at < len(words) and words[at].is_open else len(words)
        return self._after_image(words, found + 1) if self.has_image else found + 1

    def _after_image(self, words: Sequence[Word], at: int) -> int:
        while at < len(words):
            word = words[at]
            if word.may_split:
                return at  # options, the image, or both
            if not word.head.startswith("-"):
                return at + 1
            is_flag = "=" in word.head or word.head.lstrip("-") in self.flags
            at += 1 if is_flag else 2
        return at


@lru_cache(maxsize=1)
def wrappers() -> Mapping[str, Wrapper]:
    """All of them, by name."""
    return {name: _wrapper(told) for name, told in facts("wrappers").items()}


def _wrapper(told: Mapping[str, Any]) -> Wrapper:
    return Wrapper(frozenset(told.get("runs", ())), told.get("image", False), frozenset(told.get("flags", ())))
