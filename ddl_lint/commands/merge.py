"""`ddl-lint merge`: shows the findings of a check that was spread over several machines."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

from ddl_lint.check.shards import Provided, Shard, ShardError, missing, read_shard
from ddl_lint.check.version import version_name
from ddl_lint.commands import check
from ddl_lint.commands.beginning import begin
from ddl_lint.commands.check_request import checked_paths
from ddl_lint.commands.console import say
from ddl_lint.commands.outcome import UserError
from ddl_lint.commands.outputs import outputs_of
from ddl_lint.commands.parser import command_line
from ddl_lint.commands.shard import ASKED
from ddl_lint.escape import one_line
from ddl_lint.source import SourceError, read_text
from ddl_lint.storage import user_storage

_LARGEST = 1 << 30  # bytes of a shard


def run(options: argparse.Namespace) -> int:
    """Do the whole check, with what the shards have found out. Raises `UserError` where they do not fit together."""
    if options.watch:
        raise UserError("--watch checks files again and again, and shards are made once; use `ddl-lint check --watch`")
    shards = [_loaded(file) for file in options.shards]
    _compare(shards, options.shards)
    wanted = _as_for_check(options, shards[0])
    begin(checked_paths(wanted), options.cache_dir, notes=not options.quiet)
    entries = {name: payload for shard in shards for name, payload in shard.entries.items()}
    folder = user_storage(options.cache_dir).folder
    if folder is not None:
        return _run(options, wanted, shards, Provided(folder, entries))
    with tempfile.TemporaryDirectory(prefix="ddl-lint-") as temporary:
        return _run(options, wanted, shards, Provided(Path(temporary), entries))


def _run(options: argparse.Namespace, wanted: argparse.Namespace, shards: Sequence[Shard], storage: Provided) -> int:
    if not options.quiet:
        for line in _notes(shards, version_name(storage)):
            say(line)
    return check.check(wanted, outputs_of(options.outputs), storage, stored=False)


def _loaded(file: Path) -> Shard:
    try:
        return read_shard(read_text(file.as_posix(), _LARGEST))
    except SourceError as error:
        raise UserError(f"{file} {error.message}") from None
    except ShardError as error:
        raise UserError(f"{file} {error}") from None


def _compare(shards: Sequence[Shard], files: Sequence[Path]) -> None:
    first = shards[0]
    for shard, file in zip(shards, files, strict=True):
        if (shard.count, shard.options) != (first.count, first.options):
            raise UserError(f"{file} is part of another check than {files[0]}: it has other paths or options")
    places: dict[int, Path] = {}
    for shard, file in zip(shards, files, strict=True):
        if (other := places.setdefault(shard.number, file)) is not file:
            raise UserError(f"{other} and {file} are both shard {shard.number}; give the one that your job has written")


def _as_for_check(options: argparse.Namespace, shard: Shard) -> argparse.Namespace:
    """The options of the check that was spread: what is found as the shards say, how it is shown as `merge` says."""
    words = ["check"]
    wanted = command_line(words).read(words)
    for name, value in vars(options).items():
        if name in vars(wanted):
            setattr(wanted, name, value)
    for name in ASKED:
        value: Any = shard.options.get(name)
        if not _is_like(value):
            raise UserError("a shard is damaged: its options are none")
        setattr(wanted, name, Path(value) if name == "config" and value is not None else value)
    return wanted


def _is_like(value: Any) -> bool:
    if isinstance(value, list):
        return all(isinstance(each, str) for each in cast("list[Any]", value))
    return value is None or isinstance(value, bool | int | float | str)


def _notes(shards: Sequence[Shard], version: str) -> Iterator[str]:
    """What keeps the shards from being of use: their scripts are followed again then."""
    lacking = missing(shards)
    if lacking:
        listed = ", ".join(map(str, lacking))
        yield f"shard {listed} of {shards[0].count} is missing: its scripts are followed here"
    for shard in shards:
        if shard.version != version:
            yield f"shard {shard.number} was made by another ddl-lint or Python: its scripts are followed again"
        elif shard.folder != str(Path.cwd()):
            yield one_line(f"shard {shard.number} was made in {shard.folder}: its scripts are followed again")
