"""The rules' metadata in one file that loads fast: compiled from the rules' `rule.yaml` when one of them has changed.

The index is stored for convenience only: when it cannot be used, the YAML is read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ddl_lint import __version__
from ddl_lint.registry.rule_file import RuleFileError, mistake_in, read_engine_rules, read_rule_file
from ddl_lint.storage import Storage, digest

_FORMAT = 3  # to be raised when the shape of the index changes

ENGINE_RULES = Path(__file__).with_name("engine_rules.yaml")


@dataclass
class Index:
    """What is in the rules' metadata."""

    rules: dict[str, dict[str, Any]] = field(default_factory=lambda: {})
    """The checked data of each rule under `<package>/<stage>/<rule>`, and that of the engine's own under
    `engine/<code>`."""

    broken: dict[str, str] = field(default_factory=lambda: {})
    """The rule folders whose `rule.yaml` cannot be used, each with the code that is there, or none."""

    mistakes: list[str] = field(default_factory=lambda: [])
    """What is wrong there, each with its place."""


def rule_folders(package: Path) -> list[Path]:
    """The folders of the rules in a package: each folder `<stage>/<rule>/` that has a `rule.yaml`, sorted."""
    return sorted(file.parent for file in package.glob("*/*/rule.yaml"))


def read_index(packages: Mapping[str, Path], storage: Storage) -> Index:
    """The checked data of all rules, and what is wrong with the others.

    Args:
        packages: Name of each package of rules and its folder; of two rules with one code or name the first stays.
        storage: Where the index is kept.
    """
    try:
        stamp = _stamp(packages)
    except OSError:
        return _compile(packages)
    key = digest(*sorted(map(str, packages.values())))
    if (index := _load(storage.read("rules", key), stamp)) is not None:
        return index
    index = _compile(packages)
    storage.write("rules", key, json.dumps({"stamp": stamp, **asdict(index)}).encode())
    return index


def _stamp(packages: Mapping[str, Path]) -> list[Any]:
    """Changes when the tool or any `rule.yaml` does."""
    files = [ENGINE_RULES, *(folder / "rule.yaml" for package in packages.values() for folder in rule_folders(package))]
    states = [(str(file), file.stat()) for file in files]
    return [
        _FORMAT,
        __version__,
        list(packages),
        [[name, state.st_mtime_ns, state.st_size] for name, state in states],
    ]


def _compile(packages: Mapping[str, Path]) -> Index:
    index = Index({f"engine/{data['code']}": data for data in read_engine_rules(ENGINE_RULES)})
    owners = {label: ENGINE_RULES for data in index.rules.values() for label in (data["code"], data["name"])}
    for name, package in packages.items():
        for folder in rule_folders(package):
            place = f"{name}/{folder.parent.name}/{folder.name}"
            try:
                data = read_rule_file(folder / "rule.yaml")
                _claim(owners, data, folder)
            except RuleFileError as error:
                index.broken[place] = _code_in(folder / "rule.yaml")
                index.mistakes += error.mistakes
            else:
                index.rules[place] = data
    return index


def _claim(owners: dict[str, Path], data: Mapping[str, Any], folder: Path) -> None:
    """Let a rule's folder have its code and name. Raises `RuleFileError` where another one has them."""
    file = folder / "rule.yaml"
    taken = [
        mistake_in(file, f"`{key}`: {data[key]} is taken by {owners[data[key]]}")
        for key in ("code", "name")
        if data[key] in owners
    ]
    if taken:
        raise RuleFileError(*taken)
    owners.update({data["code"]: folder, data["name"]: folder})


def _code_in(file: Path) -> str:
    """The code in a `rule.yaml` with mistakes, as far as it can be seen."""
    try:
        found = re.search(r"^code: *([A-Z]{3,8}[0-9]{3}) *$", file.read_text(encoding="utf-8"), re.MULTILINE)
    except (OSError, UnicodeDecodeError):
        return ""
    return found.group(1) if found else ""


def _load(content: bytes | None, stamp: list[Any]) -> Index | None:
    try:
        stored = json.loads(content or b"null")
        if stored["stamp"] != stamp:
            return None
        return Index(stored["rules"], stored["broken"], stored["mistakes"])
    except (ValueError, KeyError, TypeError):
        return None
