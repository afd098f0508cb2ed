"""A text for plain data that is the same in every process, so that it can be a part of a name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import PurePath
from typing import cast

_PLAIN = (type(None), bool, int, float, complex, str, bytes, PurePath)


def description(value: object) -> str:
    """A text that two values share only if they are equal; sets and mappings in one order, whatever they are in.

    Raises:
        ValueError: the value is none of numbers, texts, paths, enumerations, containers and data classes of them.
    """
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, _PLAIN):
        return repr(value)
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value).items()
        return f"{{{','.join(sorted(f'{description(key)}:{description(item)}' for key, item in items))}}}"
    if isinstance(value, (set, frozenset)):
        return f"{{{','.join(sorted(map(description, cast('Iterable[object]', value))))}}}"
    if isinstance(value, (tuple, list)):
        return f"({','.join(map(description, cast('Iterable[object]', value)))})"
    if is_dataclass(value) and not isinstance(value, type):
        parts = (f"{part.name}={description(getattr(value, part.name))}" for part in fields(value))
        return f"{type(value).__qualname__}({','.join(parts)})"
    if type(value).__module__ == "packaging.version":
        return repr(value)
    raise ValueError(f"{type(value).__qualname__} is no plain data")
