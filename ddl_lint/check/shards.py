"""A check that is spread over machines that know nothing of each other.

Each shard does the same check, but follows only its scripts, and keeps what the rules say of them: units, as they are
stored from one check to the next, with its part of the lowered files. Who merges shards does the whole check and finds
these things done. So what is found does not depend on how many shards there are, or on what becomes of one of them.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ddl_lint.allowance import Allowance
from ddl_lint.escape import harmless_json
from ddl_lint.storage import Storage, digest

if TYPE_CHECKING:
    from ddl_lint.analysis.result_cache import Entered

VERSION = 1
_KINDS = ("units", "programs")
_KEY = re.compile(r"[0-9a-f]{32}")
_LONGEST = 1 << 28  # bytes of one entry

Entries = dict[tuple[str, str], bytes]
"""Kind and key to the content of an entry of the storage."""


class ShardError(Exception):
    """A file is no shard; `str()` of it says why."""


@dataclass
class Share:
    """The scripts of one shard; `number` counts from 1. The name of a script decides, so that shards need not know what
    is stored where others run.
    """

    number: int
    count: int
    synchronized: bool = False
    helps: bool = False
    followed: int = 0

    def share(self, names: Sequence[str], allowance: Allowance) -> Iterator[str]:
        """Which of some scripts are to be followed."""
        for name in filter(self.wants, names):
            if not allowance.is_over():
                self.followed += 1
                yield name

    def ahead(
        self, names: Sequence[str], entered: Callable[[str], Entered | None], allowance: Allowance
    ) -> Iterator[tuple[str, None]]:
        """No process follows modules ahead: other shards do not know what is entered here."""
        yield from ((name, None) for name in names)

    def wants(self, name: str) -> bool:
        """Whether a module is one of this shard."""
        return int(digest(name), 16) % self.count == self.number - 1


class Recording(Storage):
    """A storage that remembers what is read from it and written to it."""

    def __init__(self, folder: Path | None) -> None:
        super().__init__(folder)
        self.entries: Entries = {}

    def read(self, kind: str, key: str) -> bytes | None:
        """The content of an entry, None if there is none."""
        payload = super().read(kind, key)
        if payload is not None:
            self._note(kind, key, payload)
        return payload

    def write(self, kind: str, key: str, payload: bytes) -> None:
        """Put an entry in, in place of one with this key."""
        self._note(kind, key, payload)
        super().write(kind, key, payload)

    def _note(self, kind: str, key: str, payload: bytes) -> None:
        if kind in _KINDS:
            self.entries[kind, key] = payload


class Provided(Storage):
    """A storage that holds some entries beside those of its folder, and leaves them out of it."""

    def __init__(self, folder: Path | None, entries: Mapping[tuple[str, str], bytes]) -> None:
        super().__init__(folder)
        self._provided = dict(entries)

    def read(self, kind: str, key: str) -> bytes | None:
        """The content of an entry, None if there is none."""
        payload = self._provided.get((kind, key))
        return payload if payload is not None else super().read(kind, key)

    def holds(self, kind: str, key: str) -> bool:
        """Whether there is an entry; it may be damaged."""
        return (kind, key) in self._provided or super().holds(kind, key)

    def write(self, kind: str, key: str, payload: bytes) -> None:
        """Put an entry in, in place of one with this key."""
        self._provided.pop((kind, key), None)
        super().write(kind, key, payload)


@dataclass(frozen=True)
class Shard:
    """What one shard hands over."""

    number: int
    count: int
    version: str
    """A name for the program that made it."""
    folder: str
    """The working directory: what is found depends on where files are."""
    options: Mapping[str, Any]
    """What was asked, by the names of the options."""
    entries: Entries = field(default_factory=lambda: Entries())

    def text(self) -> str:
        """What is written into a file, as JSON."""
        listed: dict[str, dict[str, str]] = {kind: {} for kind in _KINDS}
        for (kind, key), payload in sorted(self.entries.items()):
            if kind != "programs" or int(key, 16) % self.count == self.number - 1:  # each shard has lowered them all
                listed[kind][key] = base64.b64encode(zlib.compress(payload, 1)).decode("ascii")
        content = {
            "version": VERSION,
            "shard": [self.number, self.count],
            "program": self.version,
            "folder": self.folder,
            "options": self.options,
            "entries": listed,
        }
        return harmless_json(json.dumps(content, indent=1)) + "\n"


def read_shard(text: str) -> Shard:
    """The shard that a string holds. Its content is data, and is read as such. Raises `ShardError` where it is none."""
    try:
        content: Any = json.loads(text)
    except (ValueError, RecursionError):
        raise ShardError("is not valid JSON") from None
    fields = cast("dict[str, Any]", content) if isinstance(content, dict) else {}
    if fields.get("version") != VERSION or "shard" not in fields:
        raise ShardError("was not written by `ddl-lint check --shard` of this version")
    try:
        number, count = (int(each) for each in fields["shard"])
        if not 1 <= number <= count:
            raise ValueError
        entries = dict(_entries(fields["entries"]))
        return Shard(number, count, str(fields["program"]), str(fields["folder"]), dict(fields["options"]), entries)
    except (ValueError, KeyError, TypeError, AttributeError, zlib.error):
        raise ShardError("is damaged") from None


def _entries(listed: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[tuple[str, str], bytes]]:
    for kind in _KINDS:
        for key, packed in listed[kind].items():
            if not _KEY.fullmatch(key):
                raise ValueError(key)
            try:
                data = base64.b64decode(packed, validate=True)
            except binascii.Error as error:
                raise ValueError(key) from error
            unpacking = zlib.decompressobj()
            payload = unpacking.decompress(data, _LONGEST)
            if unpacking.unconsumed_tail:
                raise ValueError(key)
            yield (kind, key), payload


def missing(shards: Iterable[Shard]) -> list[int]:
    """The numbers of the shards that are not there, of those that belong together."""
    shards = list(shards)
    return sorted(set(range(1, shards[0].count + 1)).difference(shard.number for shard in shards))
