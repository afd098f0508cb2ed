"""How an answer looks, in whatever format."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Look:
    """How an answer is to be shown."""

    width: int = 100
    colour: bool = False
    redact: bool = False
    """Whether to leave out what should not be handed on: secrets, users, hosts and the folders that files are in."""
