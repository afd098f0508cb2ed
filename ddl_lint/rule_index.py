"""The rules' metadata in one file that loads fast: compiled from the rooms' `rule.yaml` when one of them has changed.

The index lies in the user's cache folder. It is a convenience only: when it cannot be used, the YAML is read.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ddl_lint import __version__
from ddl_lint.rule_file import RuleFileError, read_engine_rules, read_rule_file

_FORMAT = 1  # to be raised when the shape of the index changes

ENGINE_RULES = Path(__file__).with_name("engine_rules.yaml")


def cache_folder() -> Path:
    """Where this user's caches of ddl-lint lie: `DDL_LINT_CACHE_DIR`, or the platform's place. It may not exist."""
    if chosen := os.environ.get("DDL_LINT_CACHE_DIR"):
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "ddl-lint"


def rooms(package: Path) -> list[Path]:
    """The rooms in a package of rules: each folder `<stage>/<rule>/` that has a `rule.yaml`, sorted."""
    return sorted(file.parent for file in package.glob("*/*/rule.yaml"))


def read_index(packages: Mapping[str, Path]) -> dict[str, dict[str, Any]]:
    """The checked data of all rules, by room.

    Args:
        packages: Name of each package of rules and its folder.

    Returns:
        The data of each rule under `<package>/<stage>/<rule>`, and that of the engine's own under `engine/<code>`.

    Raises:
        RuleFileError: a `rule.yaml` holds a mistake.
    """
    stamp = _stamp(packages)
    name = hashlib.sha256(json.dumps(sorted(map(str, packages.values()))).encode()).hexdigest()[:16]
    with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: there is no home folder
        file = cache_folder() / f"rules-{name}.json"
        if (index := _load(file, stamp)) is not None:
            return index
        index = _compile(packages)
        _store(file, stamp, index)
        return index
    return _compile(packages)


def _stamp(packages: Mapping[str, Path]) -> list[Any]:
    """Changes when the tool or any `rule.yaml` does."""
    files = [ENGINE_RULES, *(room / "rule.yaml" for package in packages.values() for room in rooms(package))]
    states = [(str(file), file.stat()) for file in files]
    return [
        _FORMAT,
        __version__,
        sorted(packages),
        [[name, state.st_mtime_ns, state.st_size] for name, state in states],
    ]


def _compile(packages: Mapping[str, Path]) -> dict[str, dict[str, Any]]:
    index = {f"engine/{data['code']}": data for data in read_engine_rules(ENGINE_RULES)}
    owners = {label: ENGINE_RULES for data in index.values() for label in (data["code"], data["name"])}
    for name, package in packages.items():
        for room in rooms(package):
            data = read_rule_file(room / "rule.yaml")
            for key in ("code", "name"):
                if (other := owners.setdefault(data[key], room)) != room:
                    raise RuleFileError(room / "rule.yaml", f"`{key}`: {data[key]} is taken by {other}")
            index[f"{name}/{room.parent.name}/{room.name}"] = data
    return index


def _load(file: Path, stamp: list[Any]) -> dict[str, dict[str, Any]] | None:
    try:
        stored = json.loads(file.read_bytes())
        return stored["rules"] if stored["stamp"] == stamp else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _store(file: Path, stamp: list[Any], index: dict[str, dict[str, Any]]) -> None:
    """Write in one step: another process may read or write at the same time."""
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=file.parent, suffix=".tmp")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                json.dump({"stamp": stamp, "rules": index}, stream)
            os.replace(temporary, file)
        except OSError:
            os.unlink(temporary)
