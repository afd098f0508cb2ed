"""PyTorch's flight recorder: what each rank had put on its way, read without running anything of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any, cast

from ddl_lint.diagnose.facts import Entry, Frame, LogPlace, Recording, numbers
from ddl_lint.diagnose.inputs import Input
from ddl_lint.diagnose.plain_pickle import NotPlain, load

_MOST_ENTRIES = 100_000
_MOST_FRAMES = 100
_LAST_NUMBER = re.compile(r"(\d{1,6})\D*$")


class NotRecorded(ValueError):
    """A file is no flight recorder; `str()` of it says why."""


def recording_of_pickle(data: bytes, source: Input) -> Recording:
    """A recorder as PyTorch writes it.

    Raises:
        NotRecorded: it is something else.
    """
    try:
        return _recording(load(data), source)
    except NotPlain as error:
        raise NotRecorded(str(error)) from None


def recording_of_json(data: bytes, source: Input) -> Recording:
    """The same in JSON.

    Raises:
        NotRecorded: it is something else.
    """
    try:
        found: Any = json.loads(data)
    except (ValueError, RecursionError):
        raise NotRecorded("it is no JSON") from None
    return _recording(found, source)


def _recording(found: object, source: Input) -> Recording:
    content = _mapping(found)
    if not isinstance(content.get("entries"), list):
        raise NotRecorded("it has no `entries`")
    rank = _rank(content, source)
    if rank is None:
        raise NotRecorded("neither its name nor its content tells the rank")
    groups = dict(_groups(_mapping(content.get("pg_config"))))
    entries = tuple(_entries(cast(Sequence[object], content["entries"]), rank))
    return Recording(rank, LogPlace(source.path), entries, groups)


def _rank(content: Mapping[str, object], source: Input) -> int | None:
    if isinstance(content.get("rank"), int):
        return cast(int, content["rank"])
    if source.rank is not None:
        return source.rank
    found = _LAST_NUMBER.search(PurePath(source.path).name)
    return int(found[1]) if found else None


def _groups(config: Mapping[str, object]) -> Iterator[tuple[str, tuple[int, ...]]]:
    for name, described in config.items():
        ranks = _mapping(described).get("ranks", "")
        yield name, numbers(ranks) if isinstance(ranks, str) else tuple(each for each in _list(ranks) if _is_rank(each))


def _entries(listed: Sequence[object], rank: int) -> Iterator[Entry]:
    for each in listed[-_MOST_ENTRIES:]:
        entry = _mapping(each)
        name = str(entry.get("profiling_name", ""))[:200]
        is_p2p = bool(entry.get("is_p2p"))
        sequence = entry.get("p2p_seq_id" if is_p2p else "collective_seq_id", entry.get("seq_id"))
        group = _list(entry.get("process_group"))
        yield Entry(
            rank,
            str(group[0] if group else entry.get("pg_name", entry.get("pg_id", "")))[:200],
            name.rpartition(":")[2],
            sequence if isinstance(sequence, int) else 0,
            str(entry.get("state", ""))[:40],
            tuple(_sizes(entry.get("input_sizes"))),
            tuple(str(dtype)[:40] for dtype in _list(entry.get("input_dtypes"))[:16]),
            tuple(_frames(entry.get("frames"))),
            is_p2p,
            entry.get("retired") is True,
        )


def _sizes(value: object) -> Iterator[tuple[int, ...]]:
    for shape in _list(value)[:16]:
        yield tuple(size for size in _list(shape)[:16] if isinstance(size, int))


def _frames(value: object) -> Iterator[Frame]:
    for each in _list(value)[:_MOST_FRAMES]:
        frame = _mapping(each)
        line = frame.get("line")
        if isinstance(line, int):
            yield Frame(str(frame.get("filename", ""))[:1000], line, str(frame.get("name", ""))[:200])


def _mapping(value: object) -> Mapping[str, object]:
    """A dictionary; an empty one in place of anything else."""
    return (
        {str(key): each for key, each in cast(dict[object, object], value).items()} if isinstance(value, dict) else {}
    )


def _list(value: object) -> Sequence[Any]:
    return cast(Sequence[Any], value) if isinstance(value, list | tuple) else ()


def _is_rank(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
