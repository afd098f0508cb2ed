"""The configuration files that speak of a folder, and what they say together.

The nearest file has the last word. Above it, in the same project, more files may say something, up to one that says
`root = true`; and each may extend others, which it has the last word over.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ddl_lint import __version__
from ddl_lint.project.config_file import ConfigFile, config_file_in, read_config, root_of
from ddl_lint.source import lies_within

OF_FILES: Final = frozenset({"extends", "root", "required-version"})
"""The keys that are about configuration files, and no setting."""

_ADDED: Final = (
    *("ignore", "extend-select", "extend-exclude", "unfixable", "extend-safe-fixes", "extend-unsafe-fixes"),
    *("models", "enforce"),
)
"""The keys whose lists are joined."""

_JOINED: Final = ("severity", "target", "per-file-ignores", "per-file-settings")
"""The keys whose tables are joined."""

_OPPOSITES: Final = {
    "ignore": ("extend-select",),
    "extend-select": ("ignore",),
    "select": ("ignore",),
    "extend-safe-fixes": ("extend-unsafe-fixes",),
    "extend-unsafe-fixes": ("extend-safe-fixes",),
}
"""What a nearer file says with the first takes the same words out of the others that files further up say."""

_INSTALLED = re.compile(r"(?P<package>[A-Za-z0-9][\w.-]*):(?P<file>.+)")
_MOST_EXTENDED = 20


@dataclass(frozen=True)
class Layer:
    """A configuration file, and the folder that its globs are relative to: that of the file which extends it."""

    file: ConfigFile
    folder: Path
    models: tuple[Path, ...] = ()
    """Its model files, absolute."""


def layers(file: Path, *, fixed: bool = False) -> list[Layer]:
    """A configuration file and all that has a say beside it, the nearest first. A `fixed` one is for all files.

    Raises:
        ConfigError: one of them cannot be used.
    """
    if fixed:
        return list(_with_extended(read_config(file), file.parent, ()))
    root = root_of(file)
    found: list[Layer] = []
    nearest: Path | None = file
    while nearest is not None:
        own = list(_with_extended(read_config(nearest, root), nearest.parent, ()))
        found += own
        nearest = None if any(each.file.table.get("root") for each in own) else _above(nearest, root)
    return found


def _above(file: Path, root: Path) -> Path | None:
    """The next configuration file further up in the same project."""
    for folder in file.parent.parents:
        if not folder.is_relative_to(root):
            return None
        if (found := config_file_in(folder)) is not None:
            return found
    return None


def base_of(found: Sequence[Layer]) -> Path:
    """The folder that the globs of all layers are made relative to: the outermost."""
    return min((each.folder for each in found), key=lambda folder: len(folder.parts))


def merged(found: Sequence[Layer]) -> dict[str, Any]:
    """What layers say together, under the keys of the file."""
    base = base_of(found)
    table: dict[str, Any] = {}
    for layer in reversed(found):
        table = over(_placed(layer, base), table)
    return table


def over(nearer: Mapping[str, Any], further: Mapping[str, Any]) -> dict[str, Any]:
    """What two tables say, of which the nearer one has the last word."""
    table = dict(further)
    for key, opposites in _OPPOSITES.items():
        for opposite in opposites:
            if opposite in further and key in nearer:
                table[opposite] = [word for word in further[opposite] if word not in nearer[key]]
    for key, value in nearer.items():
        if key in _ADDED:
            table[key] = list(dict.fromkeys([*table.get(key, ()), *value]))
        elif key in _JOINED and isinstance(value, Mapping) and isinstance(table.get(key, {}), Mapping):
            table[key] = {**table.get(key, {}), **value}
        elif key == "require-reason":
            table[key] = value or table.get(key, False)
        else:
            table[key] = value
    return table


def _placed(layer: Layer, base: Path) -> dict[str, Any]:
    """What a file says, with globs that are relative to another folder around it."""
    table = dict(layer.file.table)
    if "models" in table:
        table["models"] = [str(path) for path in layer.models]
    below = layer.folder.relative_to(base).as_posix()
    if below == ".":
        return table
    for key in ("exclude", "extend-exclude"):
        if key in table:
            table[key] = [_from(glob, below) for glob in table[key]]
    for key in ("per-file-ignores", "per-file-settings"):
        if key in table:
            table[key] = {_from(glob, below): value for glob, value in table[key].items()}
    return table


def _from(glob: str, below: str) -> str:
    """A glob relative to a folder, as one relative to a folder around it: without a slash it matches at any depth."""
    if glob.startswith("!"):
        return f"!{_from(glob[1:], below)}"
    inner = glob.removeprefix("/")
    deep = "" if "/" in glob.rstrip("/") else "**/"
    return f"/{below}/{deep}{inner}"


# --- what a file extends ----------------------------------------------------------------------------------------------


def _with_extended(file: ConfigFile, folder: Path, on_the_way: tuple[Path, ...]) -> Iterator[Layer]:
    """A file, and those that it extends: the last that it names before the first."""
    _judge_version(file)
    yield Layer(file, folder, tuple(_model_files(file)))
    named = file.table.get("extends", ())
    names: list[str] = [named] if isinstance(named, str) else list(named)
    here = (*on_the_way, file.path)
    for name in reversed(names):
        path = _extended(file, name)
        if path in here:
            raise file.error(("extends",), f"`{name}` extends this file")
        if len(here) > _MOST_EXTENDED:
            raise file.error(("extends",), f"more than {_MOST_EXTENDED} files extend each other")
        yield from _with_extended(read_config(path), folder, here)


def _extended(file: ConfigFile, name: str) -> Path:
    """The file that an entry of `extends` means: of the project, or of an installed package."""
    if "://" in name:
        raise file.error(("extends",), f"`{name}` is an address: nothing is downloaded; name a file or a package")
    installed = _INSTALLED.fullmatch(name)
    if installed is not None:
        return _installed(file, installed["package"], installed["file"])
    path = Path(os.path.abspath(file.path.parent / name))
    if not lies_within(path, root_of(file.path)):
        raise file.error(("extends",), f"`{name}` lies outside of the project")
    if not os.path.isfile(path):
        raise file.error(("extends",), f"there is no file `{name}`")
    return path


def _installed(file: ConfigFile, package: str, name: str) -> Path:
    """A data file of an installed package, as its list of files names it: nothing of the package is imported."""
    from importlib import metadata  # brings in much, and few files extend those of packages

    try:
        listed = metadata.files(package)
    except (metadata.PackageNotFoundError, ValueError):
        raise file.error(("extends",), f"the package `{package}` is not installed beside ddl-lint") from None
    for each in listed or ():
        if each.as_posix() == name and os.path.isfile(path := Path(str(each.locate()))):
            return Path(os.path.abspath(path))
    raise file.error(("extends",), f"the package `{package}` has no file `{name}`")


def _judge_version(file: ConfigFile) -> None:
    """Raises `ConfigError` where a file is for other versions of ddl-lint than this one."""
    wanted = file.table.get("required-version")
    if wanted is None:
        return
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        fits = SpecifierSet(wanted).contains(__version__, prereleases=True)
    except InvalidSpecifier:
        raise file.error(("required-version",), f'`{wanted}` is no version: write ">=0.4" or "==0.4.1"') from None
    if not fits:
        raise file.error(("required-version",), f"this project wants ddl-lint {wanted}, and this is {__version__}")


def _model_files(file: ConfigFile) -> Iterator[Path]:
    """Model files are data from the checked workspace: they may come from nowhere else."""
    root = file.path.parent.resolve()
    for index, name in enumerate(file.table.get("models", ())):
        path = (root / name).resolve()
        if not path.is_relative_to(root):
            message = f"`{name}` lies outside the folder of the configuration file"
        elif not os.path.isfile(path):
            message = f"there is no file `{name}` in the folder of the configuration file"
        else:
            yield path
            continue
        raise file.error(("models", index), message)
