"""What runs of one project tell each other: small plain facts, for what they really share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

_Fact = TypeVar("_Fact")


@dataclass(frozen=True)
class Shared(Generic[_Fact]):
    """The facts that a rule's `publish` has given, as its `join` sees them beside one finding.

    A fact is data that can be written down: texts, numbers, locations, tuples and frozen dataclasses of them.
    """

    own: Sequence[_Fact]
    """Those of the run of the finding."""

    program: Sequence[_Fact]
    """Those of all runs that have looked into the module in which the run of the finding starts."""

    file: Sequence[_Fact]
    """Those of all runs that have looked into the file of the finding: a fix must be right for all of them."""

    project: Sequence[_Fact]
    """Those of all runs near that of the finding, for what programs share beside code, such as a checkpoint: runs whose
    script lies in the same folder, above or below it, and those of the same modules. A neighbour has no part in it."""
