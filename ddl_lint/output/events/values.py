"""Values as rules take them apart: each by the name of its class in `ddl_lint.rulekit`, cut where it is long."""

from __future__ import annotations

from collections.abc import Callable

from ddl_lint.program.tags import Tags
from ddl_lint.program.values import (
    Alternatives,
    Apply,
    Bound,
    ClassRef,
    Const,
    DeviceCount,
    Flag,
    FunctionRef,
    Items,
    ModuleRef,
    Object,
    Rank,
    Setting,
    Symbol,
    Table,
    Unknown,
    Value,
    WorldSize,
)

_DEEPEST, _MOST, _LONGEST = 4, 6, 200
_BRACKETS = {"list": "[]", "tuple": "()", "set": "{}", "iterator": "<>"}

Names = Callable[[Object], str]
"""What an object is called: `model#2`."""


def shown(value: Value, names: Names) -> str:
    """A value in at most 200 characters: `Apply(+, Rank(global), 1)`."""
    text = _shown(value, names, _DEEPEST)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _shown(value: Value, names: Names, depth: int) -> str:
    def inner(part: Value) -> str:
        return _shown(part, names, depth - 1) if depth else "…"

    match value:
        case Object():
            return names(value)
        case Const():
            return repr(value.value)
        case Unknown():
            tags = shown_tags(value.tags)
            return f"Unknown({tags})" if tags else "Unknown"
        case Rank() | WorldSize():
            return f"{type(value).__name__}({value.scope}{', text' if value.text else ''})"
        case DeviceCount():
            return "DeviceCount"
        case Flag():
            return f"Flag({value.name})"
        case Setting():
            default = "" if value.default is None else f" = {inner(value.default)}"
            return f"Setting({value.source} {value.name}{default})"
        case Apply():
            return f"Apply({', '.join([value.operator, *map(inner, value.operands[:_MOST])])})"
        case Items():
            listed = [*map(inner, value.items[:_MOST]), *(["…"] if value.open or len(value.items) > _MOST else [])]
            start, end = _BRACKETS[value.kind]
            return f"{start}{', '.join(listed)}{end}"
        case Table():
            listed = [f"{inner(key)}: {inner(item)}" for key, item in value.items[:_MOST]]
            return f"{{{', '.join([*listed, *(['…'] if value.open or len(value.items) > _MOST else [])])}}}"
        case Alternatives():
            return " or ".join(dict.fromkeys(inner(option) for _, option in value.options[:_MOST]))
        case FunctionRef():
            return f"FunctionRef({value.function.name})"
        case ClassRef():
            return f"ClassRef({value.definition.name})"
        case ModuleRef() | Symbol():
            return f"{type(value).__name__}({value.name})"
        case Bound():
            return f"Bound({inner(value.function)}, …)"


def shown_tags(tags: Tags) -> str:
    """What a value was computed from: `data, rank`."""
    return ", ".join(sorted({tag.kind.value for tag in tags}))
