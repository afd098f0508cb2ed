"""Paths as values: on which ranks they are the same, whose disk they are on, which leads into which.

if Path(save.path).is_same_on_all_ranks:
    ...
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from ddl_lint.analysis.queries.control_context import may_differ
from ddl_lint.analysis.queries.library_use import is_given
from ddl_lint.analysis.values.tags import LOCAL_TAGS, RANK_TAGS, tags_of
from ddl_lint.analysis.values.visitors import is_repeatable, parts
from ddl_lint.domain import match
from ddl_lint.domain.file_names import FileName
from ddl_lint.program.tags import UNIFORM
from ddl_lint.program.values import (
    NONE,
    Alternatives,
    Apply,
    Const,
    Items,
    Object,
    Setting,
    Unknown,
    Value,
)

_NODE_DISKS = ("/tmp", "/local", "/scratch", "/dev/shm", "/var/tmp", "/mnt/local", "/raid", "/ssd", "/nvme")
"""Starts of paths that usually lie on a disk of the node."""


@dataclass(frozen=True, slots=True)
class Path:
    """The path of a file or folder; of none (`None`) nothing is known."""

    value: Value | None

    @property
    def name(self) -> FileName | None:
        """The path as the code writes it, as plain data that runs may tell each other."""
        return FileName.of(self.value)

    # --- one path, as the ranks have it -------------------------------------------------------------------------------

    @property
    def differs_by_rank(self) -> bool:
        """Whether each rank, or each node, has a path of its own."""
        return self.value is not None and bool(tags_of(self.value) & (RANK_TAGS | LOCAL_TAGS))

    @property
    def is_same_on_all_ranks(self) -> bool:
        """Whether it surely is the same on all ranks, and names a file."""
        return self._is_same(_is_plain)

    @property
    def is_same_for_caller(self) -> bool:
        """Whether code that no script starts makes it of what a caller gives it, and leaves the rank out."""
        return isinstance(self.value, Apply) and self._is_same(
            lambda part: is_given(part) if isinstance(part, Unknown) and not _is_plain(part) else _is_plain(part)
        )

    def _is_same(self, is_known: Callable[[Value], bool]) -> bool:
        return (
            self.value is not None
            and not self.differs_by_rank
            and not may_differ(self.value)
            and all(is_known(part) for part in parts(self.value, opened=_is_no_counter))
        )

    @property
    def is_on_disk_of_node(self) -> bool:
        """Whether its text tells that the disk is the node's own."""
        texts = (part.value for part in parts(self.value or NONE) if isinstance(part, Const))
        return any(isinstance(text, str) and text.startswith(_NODE_DISKS) for text in texts)

    # --- two paths ----------------------------------------------------------------------------------------------------

    def is_surely(self, other: Path) -> bool:
        """Whether both are the same file in one process."""
        return self.value is not None and self.value == other.value and self._is_one_file

    @property
    def _is_one_file(self) -> bool:
        """Whether equal values are surely the same file."""
        if isinstance(self.value, Object):
            return self.value.kind == "path"
        if isinstance(self.value, Unknown):
            return self.value.origin is not None
        return isinstance(self.value, (Const, Setting, Apply)) and is_repeatable(self.value)

    def is_in(self, folder: Path) -> bool:
        """Whether it is a folder, or leads into it."""
        path, place = self.plain, folder.plain
        if place is None:
            return False
        if path == place:
            return True
        joined = match.path_parts(path)
        if joined is not None:
            return Path(joined[0]).is_in(folder)
        first, *others = match.text_pieces(path) or (None,)
        follows = others[0].value if others and isinstance(others[0], Const) else None
        return Path(first).plain == place and isinstance(follows, str) and follows.startswith("/")

    def may_be(self, other: Path) -> bool:
        """Whether the other may be one of the files that it names: the same but for what a loop counts, or for what is
        not known of both.
        """
        return self.value is not None and other.value not in (None, NONE) and _may_be(self.value, other.value)

    @property
    def plain(self) -> Value | None:
        """The path without what makes it absolute or puts in the home folder; None where there is none."""
        path = self.value
        while isinstance(path, Apply) and path.operator == "derived" and len(path.operands) == 1:
            path = path.operands[0]
        return None if path == NONE else path

    def is_asked_for_by(self, condition: Value | None) -> bool:
        """Whether a condition asks whether it exists: `if not os.path.exists(path)`."""
        if condition is None or self.value is None:
            return False
        return any(match.existence(part) == self.value for part in parts(condition))


def _may_be(one: Value, other: Value | None) -> bool:
    if one == other or match.loop_counter(one) is not None:
        return True
    if isinstance(one, Unknown):
        return isinstance(other, Unknown) or match.loop_counter(other) is not None
    if isinstance(one, Apply):
        return isinstance(other, Apply) and one.operator == other.operator and _are(one.operands, other.operands)
    return isinstance(one, Items) and isinstance(other, Items) and _are(one.items, other.items)


def _are(ours: tuple[Value, ...], theirs: tuple[Value, ...]) -> bool:
    return len(ours) == len(theirs) and all(map(_may_be, ours, theirs))


def asks_for_any(condition: Value | None) -> bool:
    """Whether a condition asks whether some file exists."""
    return condition is not None and any(match.existence(part) is not None for part in parts(condition))


def _is_no_counter(part: Value) -> bool:
    """Wherever a range begins and ends, the number that a loop over it counts is the same on all ranks."""
    return match.loop_counter(part) is None


def _is_plain(part: Value) -> bool:
    if isinstance(part, Object) and "path" in part.given and "mode" in part.given:
        return not Path(part.given["path"]).differs_by_rank  # a file that is read, such as the configuration
    if isinstance(part, Object):
        return part.kind == "path" and all(Path(value).is_same_on_all_ranks for value in part.given.values())
    if isinstance(part, Unknown):
        return _is_counter(part) or UNIFORM in part.tags
    return isinstance(part, (Const, Setting, Apply, Items, Alternatives))


def _is_counter(value: Unknown) -> bool:
    """Whether this is a loop's own variable: the epoch or the step."""
    if not isinstance(value.origin, tuple):
        return False
    origin = cast("tuple[object, ...]", value.origin)  # pyright: ignore[reportUnknownMemberType]
    return "loop" in origin[:1] or "index" in origin[-1:]
