"""What a finding claims: its words, and what the fault costs."""

from __future__ import annotations

from typing import Literal, TypeAlias

ConsequenceName: TypeAlias = Literal["hang", "wrong-result", "data-loss", "crash", "race", "wasted-work", "deprecated"]
"""What a fault costs who starts the job, the worst first; `registry/consequences.py` says what each means."""


class Claim(str):
    """The words of a finding together with its consequence, for a rule that words its findings in functions of its own.

    A finding that is made of it takes both; as a string it is the words alone.
    """

    __slots__ = ("consequence",)
    consequence: ConsequenceName

    def __new__(cls, words: str, consequence: ConsequenceName) -> Claim:
        claim = super().__new__(cls, words)
        claim.consequence = consequence
        return claim


def title_of(consequence: str) -> str:
    """The words for a consequence with which a message begins, such as `Wrong result`."""
    return consequence.replace("-", " ").capitalize()


def worded(message: str, consequence: str | None) -> str:
    """A message as it is shown: the consequence first. The engine's own findings have none."""
    return f"{title_of(consequence)}: {message}" if consequence else message
