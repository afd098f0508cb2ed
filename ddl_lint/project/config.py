"""Which settings apply to a file: one resolver for the command line and the language server.

Settings are in `.ddl-lint.toml`, `ddl-lint.toml` or the table `[tool.ddl-lint]` of `pyproject.toml`. The nearest of
them, looked for from the checked file's own folder upwards, is the one that counts; they are not merged.
"""

from __future__ import annotations

import functools
import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ddl_lint.finding import Severity
from ddl_lint.program.followed import Budget
from ddl_lint.project.globs import DEFAULT_EXCLUDE, compiled, has_open_bracket, is_costly
from ddl_lint.project.surroundings import marked_root
from ddl_lint.registry import schema
from ddl_lint.source import SourceError, lies_within, read_text
from ddl_lint.source.toml_text import TomlError, read_toml

PYPROJECT = "pyproject.toml"
CONFIG_FILES = (".ddl-lint.toml", "ddl-lint.toml", PYPROJECT)
"""The names looked for in each folder; the first one found counts."""


@dataclass(frozen=True)
class Settings:
    """What a configuration file may say, with the defaults. The keys of the file have hyphens for underscores."""

    select: tuple[str, ...] | None = None
    """Rules to run; None means the default set."""
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]], hash=False)
    """Glob (relative to `root`; `!glob` means all other files) to the rules dropped there."""
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    extend_exclude: tuple[str, ...] = ()
    pedantic: bool = False
    preview: bool = False
    hints: bool = False
    """Show infos, too, as `pedantic` and an editor do."""
    include_tests: bool = False
    """Follow what only a runner of tests starts, too."""
    fail_on: tuple[str, ...] = (Severity.WARNING.value,)
    """Consequences, and the least severity, of the findings for which the exit code is 1."""
    target: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    """Package name to version."""
    models: tuple[Path, ...] = ()
    """API models of the project's own wrappers, as absolute paths."""
    severity: Mapping[str, Severity] = field(default_factory=dict[str, Severity], hash=False)
    """Rule (name or code) to the severity that replaces its own."""
    max_steps: int = Budget().steps
    """How many statements of one script may be followed."""
    max_seconds: float = Budget().seconds
    """How long following one script, or reading one file, may take, in seconds of CPU time."""
    max_check_seconds: float = field(default=600.0, repr=False)  # a whole check is the same whatever it may take
    """How long the whole check may take, in seconds of CPU time of all its processes."""
    unsafe_fixes: bool = False
    """Apply those fixes too that may change behaviour."""
    unfixable: tuple[str, ...] = ()
    """Rules whose fixes are never applied, only shown."""
    extend_safe_fixes: tuple[str, ...] = ()
    """Rules whose unsafe fixes count as safe here."""
    extend_unsafe_fixes: tuple[str, ...] = ()
    """Rules whose safe fixes count as unsafe here."""
    root: Path | None = None
    """The folder that globs are relative to: that of the configuration file; None without one."""
    source: Path | None = None
    """The configuration file; None without one."""

    @property
    def budget(self) -> Budget:
        """What following one script may cost."""
        return Budget(self.max_steps, self.max_seconds)


_known: dict[Path, Settings] = {}
"""The settings that apply in each folder that was asked for."""


class ConfigError(Exception):
    """A configuration that cannot be used. `str()` of it names the file, the line if known, and what is wrong."""

    def __init__(self, file: Path, message: str, *, key: str = "", line: int | None = None) -> None:
        super().__init__(f"{file}:{line}: {message}" if line else f"{file}: {message}")
        self.file = file
        self.key = key
        self.line = line
        self.message = message


class Candidate(NamedTuple):
    """A configuration file that was looked at, and why it counts or not."""

    file: Path
    used: bool
    reason: str


def resolve(path: Path) -> Settings:
    """The settings that apply to a file or folder, which need not exist.

    Raises:
        ConfigError: the configuration file that applies cannot be used.
    """
    return _settings_in(_folder_of(path))


def load(file: Path) -> Settings:
    """The settings in one given configuration file.

    Raises:
        ConfigError: it cannot be read or holds a mistake.
    """
    return _load(Path(os.path.abspath(file)))


def search(path: Path) -> Iterator[Candidate]:
    """Every configuration file seen on the way up from a file or folder; the last one is the one used, if any is."""
    folder = _folder_of(path)
    for directory in (folder, *folder.parents):
        found = False
        for name in CONFIG_FILES:
            file = directory / name
            if not os.path.isfile(file):
                continue
            if found:
                yield Candidate(file, False, "another configuration file in this folder comes first")
            elif file.name == PYPROJECT and _leads_out(file):
                yield Candidate(file, False, "a link that leads out of the project is not followed")
            elif not _holds_settings(file):
                yield Candidate(file, False, "has no table [tool.ddl-lint]")
            else:
                found = True
                yield Candidate(file, True, "the nearest configuration file")
        if found:
            return


def forget() -> None:
    """Read configuration files anew from now on: to be called when one of them has changed."""
    _known.clear()


def key_error(settings: Settings, path: schema.Path, message: str) -> ConfigError:
    """The error of a key of the file that `settings` came from: for what only a later layer can judge, as rule names.

    `settings.source` must not be None.
    """
    assert settings.source is not None
    return _error(settings.source, _read(settings.source), schema.Mistake(path, message))


def _folder_of(path: Path) -> Path:
    absolute = Path(os.path.abspath(path))
    # `os.path` asks without raising an error where we may not look.
    return absolute if os.path.isdir(absolute) else absolute.parent


def _settings_in(folder: Path) -> Settings:
    passed: list[Path] = []
    while (settings := _known.get(folder)) is None:  # not by recursion: folders nest deeper than calls may
        passed.append(folder)
        files = (folder / name for name in CONFIG_FILES)
        file = next((file for file in files if os.path.isfile(file) and _holds_settings(file)), None)
        if file is not None or folder.parent == folder:
            settings = Settings() if file is None else _load(file, _root_of(file))
            break
        folder = folder.parent
    _known.update(dict.fromkeys(passed, settings))
    return settings


def _holds_settings(file: Path) -> bool:
    if file.name != PYPROJECT:
        return True
    # These keep a pyproject.toml that does not concern us from stopping the check when it is broken.
    if _leads_out(file):
        return False
    text = _read(file)
    return "ddl-lint" in text and _table(file, text) is not None


def _root_of(file: Path) -> Path:
    """The project whose file it is: a link that leads out of it is no word of the project."""
    return marked_root(file.parent) or file.parent


def _leads_out(file: Path) -> bool:
    return file.is_symlink() and not lies_within(file, _root_of(file))


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


@functools.cache
def config_schema() -> schema.Schema:
    """The JSON schema of the configuration."""
    return json.loads(Path(__file__).with_name("config.schema.json").read_text(encoding="utf-8"))


def _load(file: Path, within: Path | None = None) -> Settings:
    text = _read(file, within)
    table = _table(file, text)
    if table is None:
        raise ConfigError(file, "has no table [tool.ddl-lint]")
    for mistake in schema.mistakes(table, config_schema()):
        raise _error(file, text, mistake)
    for path, glob in _globs(table):
        try:
            compiled((glob,))
        except ValueError:
            raise _error(file, text, schema.Mistake(path, f"`{glob}` is not a glob")) from None
        if has_open_bracket(glob):
            raise _error(file, text, schema.Mistake(path, f"`{glob}` begins a set with `[` and does not end it"))
        if is_costly(glob):
            raise _error(file, text, schema.Mistake(path, f"`{glob}` has too many `*` between two slashes"))
    values = {key.replace("-", "_"): _converted(value) for key, value in table.items()}
    if isinstance(values.get("fail_on"), str):
        values["fail_on"] = (values["fail_on"],)
    if "severity" in values:
        values["severity"] = {rule: Severity(level) for rule, level in values["severity"].items()}
    if "target" in values:
        values["target"] = parse_target(values["target"])
    if "models" in values:
        values["models"] = tuple(_model_files(file, text, values["models"]))
    return Settings(**values, root=file.parent, source=file)


def _globs(table: Mapping[str, Any]) -> Iterator[tuple[schema.Path, str]]:
    for key in ("exclude", "extend-exclude"):
        yield from (((key, index), glob) for index, glob in enumerate(table.get(key, ())))
    for glob in table.get("per-file-ignores", ()):
        yield ("per-file-ignores", glob), glob.removeprefix("!")


def _converted(value: Any) -> Any:
    """Lists as tuples, so that settings cannot be changed."""
    if isinstance(value, list):
        return tuple(value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, dict):
        return {key: _converted(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return value


def parse_target(target: Mapping[str, str] | tuple[str, ...]) -> dict[str, str]:
    """Package to version, from a table or from `package==version` entries.

    Raises:
        ValueError: an entry is no `package==version`.
    """
    if isinstance(target, Mapping):
        return dict(target)
    versions: dict[str, str] = {}
    for entry in target:
        package, equals, version = entry.partition("==")
        if not equals or not package.strip() or not re.match(r"[0-9]", version.strip()):
            raise ValueError(f"`{entry}` is not a target: expected package==version, such as torch==2.4")
        versions[package.strip().lower()] = version.strip()
    return versions


def _model_files(file: Path, text: str, names: tuple[str, ...]) -> Iterator[Path]:
    """Model files are data from the checked workspace: they may come from nowhere else."""
    root = file.parent.resolve()
    for index, name in enumerate(names):
        path = (root / name).resolve()
        if not path.is_relative_to(root):
            message = f"`{name}` lies outside the folder of the configuration file"
        elif not os.path.isfile(path):
            message = f"there is no file `{name}` in the folder of the configuration file"
        else:
            yield path
            continue
        raise _error(file, text, schema.Mistake(("models", index), message))


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
