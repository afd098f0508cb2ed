"""JSON files of a project that its scripts read: configurations, above all.

They are others' text: of bounded size, below the root of the project, and nothing but data.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from ddl_lint.source import SourceError, read_text

_LARGEST = 200_000  # bytes; a configuration is short
_MOST = 200  # files

_NOTHING: Mapping[tuple[str, str], str] = MappingProxyType({})


class JsonFiles:
    """Reads files by the names that programs give them, each file once."""

    def __init__(self, root: Path | None = None, options: Mapping[tuple[str, str], str] = _NOTHING) -> None:
        """Files below `root`, none without one; `options`: as `LaunchFacts.json_options`."""
        self._root = root
        self._options = options
        self._texts: dict[Path, str | None] = {}

    @property
    def looked_at(self) -> list[Path]:
        """The files that were asked for; some may not exist."""
        return list(self._texts)

    def is_current(self, now: JsonFiles) -> bool:
        """Whether all that was read, and what launch lines say, is still the same."""
        return (
            self._root == now._root
            and self._options == now._options
            and all(_text(file) == text for file, text in self._texts.items())
        )

    def given_for(self, script: str, option: str) -> str | None:
        """The file that launch lines name for an option of a script (a path); None where none does, or they differ."""
        return self._options.get((script, option))

    def read(self, name: str, script: str) -> object:
        """What a file holds that `script` (a path) calls `name`; None where there is none, or it is no JSON.

        A relative name may be meant from the folder of the script or from one above it.
        """
        for file in self._candidates(name, Path(script).parent):
            if file not in self._texts:
                if len(self._texts) >= _MOST:
                    return None
                self._texts[file] = _text(file)
            text = self._texts[file]
            if text is not None:
                try:
                    return json.loads(text)
                except (ValueError, RecursionError):
                    return None
        return None

    def _candidates(self, name: str, folder: Path) -> Iterator[Path]:
        if self._root is None or not name or "\0" in name:
            return
        for start in (folder, *folder.parents):
            try:
                file = (start / name).resolve()
            except (OSError, RuntimeError):
                return
            if file.is_relative_to(self._root.resolve()):
                yield file
            if start == self._root:
                return


def _text(file: Path) -> str | None:
    try:
        return read_text(str(file), _LARGEST)
    except SourceError:
        return None
