"""The rules' metadata in one file that loads fast: compiled from the rooms' `rule.yaml` when one of them has changed.

The index is stored for convenience only: when it cannot be used, the YAML is read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ddl_lint import __version__
from ddl_lint.registry.rule_file import RuleFileError, read_engine_rules, read_rule_file
from ddl_lint.storage import Storage, digest

_FORMAT = 1  # to be raised when the shape of the index changes

ENGINE_RULES = Path(__file__).with_name("engine_rules.yaml")


def rooms(package: Path) -> list[Path]:
    """The rooms in a package of rules: each folder `<stage>/<rule>/` that has a `rule.yaml`, sorted."""
    return sorted(file.parent for file in package.glob("*/*/rule.yaml"))


def read_index(packages: Mapping[str, Path], storage: Storage) -> dict[str, dict[str, Any]]:
    """The checked data of all rules, by room.

    Args:
        packages: Name of each package of rules and its folder.
        storage: Where the index is kept.

    Returns:
        The data of each rule under `<package>/<stage>/<rule>`, and that of the engine's own under `engine/<code>`.

    Raises:
        RuleFileError: a `rule.yaml` holds a mistake.
    """
    try:
        stamp = _stamp(packages)
    except OSError:
        return _compile(packages)
    key = digest(*sorted(map(str, packages.values())))
    if (index := _load(storage.read("rules", key), stamp)) is not None:
        return index
    index = _compile(packages)
    storage.write("rules", key, json.dumps({"stamp": stamp, "rules": index}).encode())
    return index


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


def _load(content: bytes | None, stamp: list[Any]) -> dict[str, dict[str, Any]] | None:
    try:
        stored = json.loads(content or b"null")
        return stored["rules"] if stored["stamp"] == stamp else None
    except (ValueError, KeyError, TypeError):
        return None
