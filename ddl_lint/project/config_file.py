"""One configuration file: found, read, checked against the schema, and where a mistake in it is."""

from __future__ import annotations

import functools
import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from ddl_lint.project.globs import compiled, has_open_bracket, is_costly
from ddl_lint.project.project_context import marked_root
from ddl_lint.registry import schema
from ddl_lint.source import SourceError, lies_within, read_text
from ddl_lint.source.toml_text import TomlError, read_toml

PYPROJECT = "pyproject.toml"
CONFIG_FILES = (".ddl-lint.toml", "ddl-lint.toml", PYPROJECT)
"""The names looked for in each folder; the first one found counts."""


class ConfigError(Exception):
    """A configuration that cannot be used. `str()` of it names the file, the line if known, and what is wrong."""

    def __init__(self, file: Path, message: str, *, key: str = "", line: int | None = None) -> None:
        super().__init__(f"{file}:{line}: {message}" if line else f"{file}: {message}")
        self.file = file
        self.key = key
        self.line = line
        self.message = message


@dataclass(frozen=True)
class ConfigFile:
    """A configuration file whose keys and values are what the schema wants."""

    path: Path
    text: str
    table: Mapping[str, Any]
    """What it says, under its own keys."""

    def error(self, path: schema.Path, message: str) -> ConfigError:
        """A mistake that only a later layer can judge."""
        return _error(self.path, self.text, schema.Mistake(path, message))


@functools.cache
def config_schema() -> schema.Schema:
    """The JSON schema of the configuration."""
    return json.loads(Path(__file__).with_name("config.schema.json").read_text(encoding="utf-8"))


def read_config(file: Path, within: Path | None = None) -> ConfigFile:
    """A configuration file; `within` is the folder that a link must not lead out of.

    Raises:
        ConfigError: it cannot be read or holds a mistake.
    """
    text = _read(file, within)
    table = _table(file, text)
    if table is None:
        raise ConfigError(file, "has no table [tool.ddl-lint]")
    return _judged(file, text, table)


def table_of(origin: Path, table: Mapping[str, Any]) -> ConfigFile:
    """What somebody says under the keys of a file, as an editor's settings do.

    Raises:
        ConfigError: it holds a mistake.
    """
    return _judged(origin, "", dict(table))


def _judged(file: Path, text: str, table: Any) -> ConfigFile:
    for mistake in schema.mistakes(table, config_schema()):
        raise _error(file, text, mistake)
    found = ConfigFile(file, text, cast("dict[str, Any]", table))
    for path, glob in _globs(found.table):
        try:
            compiled((glob,))
        except ValueError:
            raise found.error(path, f"`{glob}` is not a glob") from None
        if has_open_bracket(glob):
            raise found.error(path, f"`{glob}` begins a set with `[` and does not end it")
        if is_costly(glob):
            raise found.error(path, f"`{glob}` has too many `*` between two slashes")
    return found


def holds_settings(file: Path) -> bool:
    """Whether a file of one of the names is a configuration file of ours."""
    if file.name != PYPROJECT:
        return True
    # These keep a pyproject.toml that does not concern us from stopping the check when it is broken.
    if leads_out(file):
        return False
    text = _read(file)
    return "ddl-lint" in text and _table(file, text) is not None


def config_file_in(folder: Path) -> Path | None:
    """The configuration file of a folder."""
    files = (folder / name for name in CONFIG_FILES)
    return next((file for file in files if os.path.isfile(file) and holds_settings(file)), None)


def root_of(file: Path) -> Path:
    """The project whose file it is: a link that leads out of it is no word of the project."""
    return marked_root(file.parent) or file.parent


def leads_out(file: Path) -> bool:
    """Whether a file is a link that leads out of its project."""
    return file.is_symlink() and not lies_within(file, root_of(file))


def _read(file: Path, within: Path | None = None) -> str:
    try:
        return read_text(str(file), within=within)
    except SourceError as error:
        hint = "" if within is None or lies_within(file, within) else "; name the file that you mean with --config"
        raise ConfigError(file, f"{error.message}{hint}") from None


def _table(file: Path, text: str) -> Any:
    """The part of a TOML text that is ours; None when there is none."""
    try:
        data = read_toml(text)
    except TomlError as error:
        raise ConfigError(file, str(error), line=error.line) from None
    if file.name != PYPROJECT:
        return data
    tool = data.get("tool")
    return tool.get("ddl-lint") if isinstance(tool, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def _globs(table: Mapping[str, Any]) -> Iterator[tuple[schema.Path, str]]:
    for key in ("exclude", "extend-exclude"):
        yield from (((key, index), glob) for index, glob in enumerate(table.get(key, ())))
    for key in ("per-file-ignores", "per-file-settings"):
        yield from (((key, glob), glob.removeprefix("!")) for glob in table.get(key, ()))


def _error(file: Path, text: str, mistake: schema.Mistake) -> ConfigError:
    # "unknown key `x`" names the key already, but not the table that it is in.
    named = mistake.message.startswith("unknown key")
    table = schema.Mistake(mistake.path[:-1], "").key
    if not named:
        message = f"`{mistake.key}`: {mistake.message}"
    else:
        message = f"{mistake.message} in `{table}`" if table else mistake.message
    return ConfigError(file, message, key=mistake.key, line=_line_of(file, text, mistake.path))


def _line_of(file: Path, text: str, path: schema.Path) -> int | None:
    """The line of a key, by its spelling: TOML's parser keeps no positions. The innermost key that is found counts."""
    lines = text.splitlines()
    start = 0
    if file.name == PYPROJECT:
        header = re.compile(r"\s*\[\s*tool\s*\.\s*[\"']?ddl-lint\b")
        start = next((number for number, line in enumerate(lines) if header.match(line)), 0)
    for step in reversed(path):
        if isinstance(step, int):
            continue
        key = re.compile(rf"(?:^\s*|[\[{{.,]\s*)[\"']?{re.escape(step)}[\"']?\s*[=\].]")
        for number, line in enumerate(lines[start:], start + 1):
            if key.search(line):
                return number
    return start + 1 if start else None
