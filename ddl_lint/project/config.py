"""Which settings apply to a file: one resolver for the command line and the language server.

Settings are in `.ddl-lint.toml`, `ddl-lint.toml` or the table `[tool.ddl-lint]` of `pyproject.toml`. The nearest of
them, looked for from the checked file's own folder upwards, has the last word; see `config_layers.py`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, cast

from ddl_lint.finding import Severity
from ddl_lint.program.followed import Budget
from ddl_lint.project.config_file import (
    CONFIG_FILES,
    PYPROJECT,
    ConfigError,
    config_file_in,
    config_schema,
    holds_settings,
    leads_out,
    read_config,
)
from ddl_lint.project.config_layers import OF_FILES, Layer, base_of, layers, merged, over
from ddl_lint.project.globs import DEFAULT_EXCLUDE, selects
from ddl_lint.registry import schema

__all__ = ["CONFIG_FILES", "PYPROJECT", "ConfigError", "Settings", "config_schema", "for_file", "load", "resolve"]


@dataclass(frozen=True)
class Settings:
    """What a configuration file may say, with the defaults. The keys of the file have hyphens for underscores."""

    select: tuple[str, ...] | None = None
    """Rules to run; None means the default set."""
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]], hash=False)
    """Glob (relative to `root`; `!glob` means all other files) to the rules dropped there."""
    per_file_settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]], hash=False)
    """Glob, as before, to settings that hold in those files, under the keys of the file."""
    enforce: tuple[str, ...] = ()
    """Rules that stay on: what ignores them is not obeyed, and a comment that silences one needs a reason."""
    require_reason: bool = False
    """Whether a suppression comment must give a reason."""
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
    """The nearest configuration file; None without one."""
    sources: tuple[Path, ...] = ()
    """All that had a say, the nearest first."""
    said: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False, repr=False, compare=False)
    """What they say together, under their keys; `per-file-settings` are put over it."""

    @property
    def budget(self) -> Budget:
        """What following one script may cost."""
        return Budget(self.max_steps, self.max_seconds)


_known: dict[Path, Settings] = {}
"""The settings that apply in each folder that was asked for."""


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
    return for_file(_settings_in(_folder_of(path)), path)


def load(file: Path) -> Settings:
    """The settings in one given configuration file.

    Raises:
        ConfigError: it cannot be read or holds a mistake.
    """
    return _together(layers(Path(os.path.abspath(file)), fixed=True))


def search(path: Path) -> Iterator[Candidate]:
    """Every configuration file seen on the way up from a file or folder, and why it has a say or none."""
    folder = _folder_of(path)
    settings = _settings_in(folder)
    seen: set[Path] = set()
    reason = "the nearest configuration file"
    for directory in (folder, *folder.parents):
        comes_first = False
        for name in CONFIG_FILES:
            file = directory / name
            if not os.path.isfile(file):
                continue
            seen.add(file)
            if comes_first:
                yield Candidate(file, False, "another configuration file in this folder comes first")
            elif file.name == PYPROJECT and leads_out(file):
                yield Candidate(file, False, "a link that leads out of the project is not followed")
            elif not holds_settings(file):
                yield Candidate(file, False, "has no table [tool.ddl-lint]")
            else:
                comes_first = True
                yield Candidate(file, True, reason)
                reason = "further up in the project"
        if directory == settings.root:
            break
    yield from (Candidate(file, True, "extended") for file in settings.sources if file not in seen)


def forget() -> None:
    """Read configuration files anew from now on: to be called when one of them has changed."""
    _known.clear()


def key_error(settings: Settings, path: schema.Path, message: str, word: str = "") -> ConfigError:
    """The error of a key of the files that `settings` came from: for what only a later layer can judge, as rule names.
    `word` is what is wrong in it. `settings.sources` must not be empty.
    """
    files = [read_config(source) for source in settings.sources]
    return next((file for file in files if _says(file.table, path, word)), files[0]).error(path, message)


def _says(table: Any, path: schema.Path, word: str) -> bool:
    """Whether a table has a word at a place."""
    for step in path:
        if not isinstance(table, dict) or step not in table:
            return False
        table = cast("dict[Any, Any]", table)[step]
    return word in table


def _folder_of(path: Path) -> Path:
    absolute = Path(os.path.abspath(path))
    # `os.path` asks without raising an error where we may not look.
    return absolute if os.path.isdir(absolute) else absolute.parent


def _settings_in(folder: Path) -> Settings:
    passed: list[Path] = []
    while (settings := _known.get(folder)) is None:  # not by recursion: folders nest deeper than calls may
        passed.append(folder)
        file = config_file_in(folder)
        if file is not None or folder.parent == folder:
            settings = Settings() if file is None else _together(layers(file))
            break
        folder = folder.parent
    _known.update(dict.fromkeys(passed, settings))
    return settings


def for_file(settings: Settings, path: Path) -> Settings:
    """The settings of one file: with what `per-file-settings` says of it."""
    table: Mapping[str, Any] = settings.said
    for glob, own in settings.per_file_settings.items():
        if selects(glob, path, settings.root):
            table = over(own, table)
    return settings if table is settings.said else _made(table, settings.root, settings.sources)


def with_said(settings: Settings, table: Mapping[str, Any], *, yields: bool = False) -> Settings:
    """The settings with what a table says under the keys of a file: over what the files say, or, if it `yields`, under
    that.
    """
    if not table:
        return settings
    said = over(settings.said, table) if yields else over(table, settings.said)
    return _made(said, settings.root, settings.sources)


def _together(found: Sequence[Layer]) -> Settings:
    """What layers say together."""
    return _made(merged(found), base_of(found), tuple(dict.fromkeys(each.file.path for each in found)))


def _made(table: Mapping[str, Any], root: Path | None, sources: tuple[Path, ...]) -> Settings:
    """The settings that a table says, under the keys of a file."""
    values = {key.replace("-", "_"): _converted(value) for key, value in table.items() if key not in OF_FILES}
    if isinstance(values.get("fail_on"), str):
        values["fail_on"] = (values["fail_on"],)
    if "severity" in values:
        values["severity"] = {rule: Severity(level) for rule, level in values["severity"].items()}
    if "target" in values:
        values["target"] = parse_target(values["target"])
    if "models" in values:
        values["models"] = tuple(map(Path, values["models"]))
    if "per_file_settings" in values:
        values["per_file_settings"] = table["per-file-settings"]
    return Settings(**values, root=root, source=sources[0] if sources else None, sources=sources, said=table)


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
