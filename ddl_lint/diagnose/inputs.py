"""The files that hold what is left of a job: found, opened as streams, and distinguished by their first bytes."""

from __future__ import annotations

import io
import os
import re
import stat
import zlib
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal, TypeAlias, cast

from ddl_lint.source.regular_file import open_stream

if TYPE_CHECKING:
    from typing_extensions import Buffer

InputKind: TypeAlias = Literal["log", "pickle", "json"]

STDIN = "-"
_MOST_FILES = 20_000
_BLOCK = 1 << 20
_GZIP = b"\x1f\x8b"
_NO_LOG = (".py", ".pyc", ".pt", ".pth", ".bin", ".safetensors", ".npy", ".npz", ".png", ".jpg", ".so", ".zip", ".tar")
_RANK_IN_NAME = re.compile(r"(?:^|[^a-z])(?:global[_-]?)?rank[_.-]?(\d{1,6})(?!\d)", re.IGNORECASE)
_TORCHRUN = re.compile(r"attempt_\d+/(\d{1,6})/(?:stdout|stderr|error)[^/]*$")
_COUNTS_OTHERS = re.compile(
    r"(?:node|host|pod|agent|launcher|worker|part|run|job|attempt|restart|epoch|step|\.(?:log|out|err|txt))[_.-]?$",
    re.IGNORECASE,
)
"""What numbers count that are no ranks: nodes, each with several ranks, and the pieces of one log."""

_LAST_NUMBER = re.compile(r"^(.*?)(\d{1,6})(\D*)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Input:
    """A file, with the rank that its name tells, if it does."""

    path: str
    rank: int | None = None
    is_pipe: bool = False
    """Whether it is a pipe, such as `<(zcat ...)`, which was given by its name."""

    @property
    def size(self) -> int:
        """In bytes, as it is on the disk; 0 where that is not known."""
        try:
            return 0 if self.path == STDIN else os.stat(self.path).st_size
        except OSError:
            return 0


def find_inputs(paths: Iterable[str]) -> tuple[list[Input], list[str]]:
    """The files at some paths, those of folders included, and what is wrong with paths."""
    found: dict[str, None] = {}
    problems: list[str] = []
    pipes: set[str] = set()
    for path in paths:
        if path == STDIN or os.path.isfile(path):
            found[path] = None
        elif _is_pipe(path):
            found[path] = None
            pipes.add(path)
        elif os.path.isdir(path):
            files = sorted(_walk(path))
            if not files:
                problems.append(f"{path}: holds no log")
            found.update(dict.fromkeys(files))
        else:
            problems.append(f"{path}: there is no such file or folder")
    ranks = _ranks(list(found))
    return [Input(path, ranks.get(path), path in pipes) for path in found], problems


def _is_pipe(path: str) -> bool:
    """Whether a path is a pipe; a device is none, and never read."""
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def _walk(folder: str) -> Iterator[str]:
    count = 0
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__pycache__")
        for name in sorted(files):
            path = os.path.join(place, name)
            if name.startswith(".") or name.endswith(_NO_LOG) or os.path.islink(path) or not os.path.isfile(path):
                continue
            count += 1
            if count > _MOST_FILES:
                return
            yield path


def _ranks(paths: Sequence[str]) -> dict[str, int]:
    """The ranks that the names of files tell: `rank3.log`, `attempt_0/3/stderr.log`, or numbers from 0 on."""
    found: dict[str, int] = {}
    families: dict[tuple[str, str], dict[str, int]] = {}
    for path in paths:
        plain = Path(path).as_posix()
        told = _TORCHRUN.search(plain) or _RANK_IN_NAME.search(Path(plain).name) or _RANK_IN_NAME.search(plain)
        if told is not None:
            found[path] = int(told[1])
        elif (numbered := _LAST_NUMBER.match(plain)) and not _COUNTS_OTHERS.search(numbered[1]):
            families.setdefault((numbered[1], numbered[3]), {})[path] = int(numbered[2])
    for members in families.values():
        if len(members) > 1 and sorted(members.values()) == list(range(len(members))):
            found.update(members)
    return found


@contextmanager
def opened(source: Input, stdin: BinaryIO | None) -> Generator[BinaryIO, None, None]:
    """A file as a stream of bytes, unpacked where it is packed.

    Raises:
        OSError: it cannot be read.
    """
    if source.path == STDIN:
        if stdin is None:
            raise OSError("there is no standard input")
        yield _unpacked(io.BufferedReader(cast(io.RawIOBase, stdin), _BLOCK))
        return
    with open_stream(source.path, may_be_pipe=source.is_pipe) as stream:
        yield _unpacked(stream)


def _unpacked(stream: io.BufferedReader) -> BinaryIO:
    if stream.peek(2)[:2] == _GZIP:
        return cast(BinaryIO, io.BufferedReader(_Unpacked(stream), _BLOCK))
    return stream


class _Unpacked(io.RawIOBase):
    """What a gzip file holds, as far as it goes: the file of a job that was killed may be cut off anywhere."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self._stream = stream
        self._unpacker = zlib.decompressobj(_WITH_HEAD)
        self._packed = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        view = memoryview(buffer)
        while True:
            if self._unpacker.eof:
                self._packed = self._unpacker.unused_data or self._packed
                self._packed = self._packed or self._stream.read(_PACKED)
                if self._packed[:2] != _GZIP:
                    return 0
                self._unpacker = zlib.decompressobj(_WITH_HEAD)
            self._packed = self._packed or self._stream.read(_PACKED)
            if not self._packed:
                return 0
            data = self._unpacker.decompress(self._packed, len(view))
            self._packed = b"" if self._unpacker.eof else self._unpacker.unconsumed_tail
            if data:
                view[: len(data)] = data
                return len(data)


_WITH_HEAD = 31  # what zlib calls a gzip stream
_PACKED = 1 << 16


READ_ERRORS = (OSError, EOFError, zlib.error)
"""What a file may answer that cannot be read, or that is cut off or broken where it is packed."""


def kind_of(stream: BinaryIO) -> InputKind:
    """What a stream holds, by its first bytes."""
    peek = getattr(stream, "peek", None)
    first: bytes = peek(64)[:64] if peek is not None else b""
    if first[:1] == b"\x80" and first[1:2] in b"\x02\x03\x04\x05":
        return "pickle"
    return "json" if first.lstrip()[:1] == b"{" and not first.lstrip().startswith(b'{"log":') else "log"


def blocks(stream: BinaryIO, first: bytes = b"") -> Iterator[bytes]:
    """The content in pieces."""
    if first:
        yield first
    while block := stream.read(_BLOCK):
        yield block
