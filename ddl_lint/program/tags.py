"""What a value was computed from, as far as it tells whether, and why, it differs from process to process."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple, TypeAlias

from ddl_lint.source.span import Location


class TagKind(Enum):
    """What a value may depend on."""

    RANK = "rank"
    LOCAL_RANK = "local_rank"
    NODE_RANK = "node_rank"
    GROUP_RANK = "group_rank"

    TIME = "time"
    RANDOM = "random"

    UNIQUE = "unique"
    """Random, whatever the seed: made up anew in each process."""

    PROCESS = "process"
    """The number that the system has given this process."""

    HASHED = "hashed"
    """What `hash` returns for a string: Python seeds it anew in each process."""

    HOST = "host"
    """The machine of this process."""

    SIGNAL = "signal"
    """Whether a signal has arrived, of which each process hears by itself."""

    DATA = "data"
    """The data of the training; they may differ between processes."""

    SHARE = "share"
    """The part of the data that this process alone has."""

    UNIFORM = "uniform"
    """Surely equal on all ranks, whatever else it depends on."""

    OUTPUT = "output"
    """An output of a model, with no way back to it: a loss to be shown."""

    NUMBER = "number"
    """What a tensor tells of itself: its shape, device, type or a single value."""

    SIZE = "size"
    """What a tensor tells of its form, not of its values."""

    METRIC = "metric"
    """A metric of a library, or what it gave."""

    STATE = "state"
    """A state dict that the call at the place gave."""

    LOADED = "loaded"
    """What the call at the place has read from a file."""

    DRAWN = "drawn"
    """What the call at the place has put into a random order, or chosen at random."""

    PARTIAL = "partial"
    """What the call at the place has made complete on one rank only."""

    FORWARD = "forward"
    """What the call of a model at the place gave: gradients go back to it."""

    GRADIENT = "gradient"
    """The gradients that the call at the place gave."""

    __hash__ = object.__hash__  # by identity, as they are compared; an enumeration's own is slow


class Tag(NamedTuple):
    """One thing that a value depends on; of some kinds, what a call at one place gave: its file, and where it starts.

    A tuple, because sets of tags are joined all the time.
    """

    kind: TagKind
    place: tuple[str, int] | None = None

    @staticmethod
    def at(kind: TagKind, location: Location) -> Tag:
        """The tag of what the call at a place gave."""
        return Tag(kind, (location.path, location.start))


Tags: TypeAlias = frozenset[Tag]

NO_TAGS: Tags = frozenset()

RANK = Tag(TagKind.RANK)
LOCAL_RANK = Tag(TagKind.LOCAL_RANK)
NODE_RANK = Tag(TagKind.NODE_RANK)
GROUP_RANK = Tag(TagKind.GROUP_RANK)
TIME = Tag(TagKind.TIME)
RANDOM = Tag(TagKind.RANDOM)
UNIQUE = Tag(TagKind.UNIQUE)
PROCESS = Tag(TagKind.PROCESS)
HASHED = Tag(TagKind.HASHED)
HOST = Tag(TagKind.HOST)
SIGNAL = Tag(TagKind.SIGNAL)
DATA = Tag(TagKind.DATA)
SHARE = Tag(TagKind.SHARE)
UNIFORM = Tag(TagKind.UNIFORM)
OUTPUT = Tag(TagKind.OUTPUT)
NUMBER = Tag(TagKind.NUMBER)
SIZE = Tag(TagKind.SIZE)
METRIC = Tag(TagKind.METRIC)
