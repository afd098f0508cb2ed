"""What scans have found, one after the other: in SQLite, so that anything can ask about it."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

FILE: Final = "scans.sqlite"
_VERSION: Final = 1
_TABLES: Final = """
create table if not exists scans (id integer primary key, asked text not null, at text not null, version text not null);
create table if not exists findings (
    asked text not null, repository text not null, fingerprint text not null, rule text not null, name text not null,
    consequence text not null, severity text not null, file text not null, line integer not null, message text not null,
    owners text not null, first_scan integer not null, last_scan integer not null,
    primary key (asked, repository, fingerprint)
);
"""


class Seen(NamedTuple):
    """A finding of a repository, as it is remembered."""

    fingerprint: str
    rule: str
    name: str
    consequence: str
    severity: str
    file: str
    line: int
    message: str
    owners: tuple[str, ...] = ()


@dataclass(frozen=True)
class Difference:
    """What has become of the findings of a repository since the scan before."""

    new: frozenset[str] = frozenset()
    """The fingerprints that were not there."""
    fixed: Sequence[Seen] = field(default_factory=list[Seen])
    is_first: bool = False
    """Whether the repository was not scanned before, so that nothing can be called new."""


def remember(folder: Path, asked: str, at: str, version: str, found: Mapping[str, Sequence[Seen]]) -> list[Difference]:
    """Add a scan to the file of a folder, and tell what has changed in each repository since the one before it that
    asked the same.

    Raises:
        sqlite3.Error: the file cannot be used.
    """
    with contextlib.closing(sqlite3.connect(folder / FILE, timeout=30)) as database, database:
        if database.execute("pragma user_version").fetchone()[0] not in (0, _VERSION):
            raise sqlite3.DatabaseError("it is of another version of ddl-lint")
        database.executescript(f"pragma user_version = {_VERSION}; {_TABLES}")
        row = "insert into scans (asked, at, version) values (?, ?, ?)"
        scan = database.execute(row, (asked, at, version)).lastrowid or 0
        return [_remembered(database, asked, scan, repository, seen) for repository, seen in found.items()]


def _remembered(
    database: sqlite3.Connection, asked: str, scan: int, repository: str, seen: Sequence[Seen]
) -> Difference:
    """Put the findings of a repository beside those of the scans before; those that were found last time are open."""
    key = (asked, repository)
    last = database.execute("select max(last_scan) from findings where asked = ? and repository = ?", key).fetchone()[0]
    marker = Seen("", "", "", "", "", "", 0, "")  # so that a repository without findings is known, too
    before = {} if last is None else {each.fingerprint: each for each in _found_in(database, *key, last)}
    for each in (marker, *seen):
        values = (*key, *each[:-1], " ".join(each.owners), scan, scan)
        database.execute(
            f"insert into findings values ({', '.join('?' * len(values))}) on conflict do update set "
            "file = excluded.file, line = excluded.line, message = excluded.message, severity = excluded.severity, "
            "owners = excluded.owners, last_scan = excluded.last_scan, "
            "first_scan = iif(findings.last_scan = ?, findings.first_scan, excluded.first_scan)",
            (*values, last),
        )
    now = {each.fingerprint for each in seen}
    new: frozenset[str] = frozenset() if last is None else frozenset(now - before.keys())
    fixed = [each for name, each in before.items() if name and name not in now]
    return Difference(new, fixed, last is None)


def _found_in(database: sqlite3.Connection, asked: str, repository: str, scan: int) -> Iterator[Seen]:
    rows = database.execute(
        "select fingerprint, rule, name, consequence, severity, file, line, message, owners from findings "
        "where asked = ? and repository = ? and last_scan = ?",
        (asked, repository, scan),
    )
    yield from (Seen(*row[:-1], owners=tuple(row[-1].split())) for row in rows)
