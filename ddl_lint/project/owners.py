"""Who owns the files of a repository, as its CODEOWNERS says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ddl_lint.project.globs import compiled, is_costly
from ddl_lint.source import SourceError, read_text

_PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
"""Where it may lie; the first one found counts."""

_WORD = re.compile(r"(?:\\.|\S)+")
_MOST_RULES = 5_000


@dataclass(frozen=True)
class Owners:
    """The owners of the files of a repository."""

    root: Path
    rules: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Globs with owners; of those that match a file, the last one counts."""

    def of(self, path: Path) -> tuple[str, ...]:
        """The owners of a file; none where nothing says who."""
        try:
            name = path.relative_to(self.root).as_posix()
        except ValueError:
            return ()
        matching = (owners for glob, owners in reversed(self.rules) if _matches(glob, name))
        return next(matching, ())


def owners_of(root: Path) -> Owners:
    """The owners that a repository names."""
    for place in _PLACES:
        try:
            text = read_text(str(root / place), within=root)
        except SourceError:
            continue
        return Owners(root, tuple(_rules(text))[:_MOST_RULES])
    return Owners(root)


def _rules(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The lines that give files to somebody. A section of GitLab gives its owners to lines that name none."""
    default: tuple[str, ...] = ()
    for line in text.splitlines():
        words: list[str] = _WORD.findall(line.partition(" #")[0])
        if not words or words[0].startswith("#"):
            continue
        if section := re.match(r"\^?\[[^\]]+\](?:\[\d+\])?", line.strip()):
            default = tuple(line.strip()[section.end() :].split())
        else:
            yield words[0].replace("\\ ", " "), tuple(words[1:]) or default


def _matches(glob: str, name: str) -> bool:
    try:
        return not is_costly(glob) and bool(compiled((glob,)).match_file(name))
    except ValueError:
        return False
