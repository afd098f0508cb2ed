"""What a program gets that reads a settings file: the values that the file holds, or settings that launches decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from ddl_lint.analysis.interpreter.machine import Machine
from ddl_lint.analysis.values.lattice import choose
from ddl_lint.analysis.values.visitors import rebuild
from ddl_lint.jobs.settings_files import Part
from ddl_lint.program.values import (
    NONE,
    UNKNOWN,
    Alternatives,
    Apply,
    Const,
    Items,
    Rank,
    Setting,
    Table,
    Unknown,
    Value,
    WorldSize,
)

Labels: TypeAlias = frozenset[tuple[Value, bool]]

_Way: TypeAlias = tuple[Labels, Part]
_Source: TypeAlias = Literal["field", "argument"]


def value_of(m: Machine, part: Part, path: str = "") -> Value:
    """What a file holds that is surely the one that is read. `path` are the keys that lead to it."""
    if not part.is_known:
        return Unknown(part.place)
    if isinstance(part.value, dict):
        pairs = part.value.items()
        return Table(
            tuple(
                (Const(key), _meant(m, key) or _switch(m, key, [each], path) or value_of(m, each, _below(path, key)))
                for key, each in pairs
            )
        )
    if isinstance(part.value, tuple):
        return Items("list", tuple(value_of(m, each, path) for each in part.value))
    return Const(part.value, part.place)


def settings_of(m: Machine, ways: Sequence[_Way], path: str = "", source: _Source = "field") -> Value | None:
    """What is in one of some files, each under conditions on options; of a single one without conditions, it may be
    another file as well, or the command line gives each setting by its keys (the `source` is an argument). Nothing
    where there are no files, or they hold different kinds of things.
    """
    tables = [(labels, part.value) for labels, part in ways if isinstance(part.value, dict)]
    if not tables or len(tables) < len(ways):
        return _setting(m, ways, path, source) if path and ways else None
    found: list[tuple[Value, Value]] = []
    for key in dict.fromkeys(key for _, table in tables for key in table):
        below = [(labels, table[key]) for labels, table in tables if key in table]
        known = _meant(m, key) or _switch(m, key, [part for _, part in below], path)
        found.append((Const(key), known or settings_of(m, below, _below(path, key), source) or Unknown(path)))
    return Table(tuple(found), open=True)


def _setting(m: Machine, ways: Sequence[_Way], path: str, source: _Source) -> Value:
    """What is at the end of some keys: what a file says where launches choose it, else whatever another one says."""
    if not ways[0][0]:
        return Setting(path, source, value_of(m, ways[0][1], path) if ways[0][1].is_known else None)
    conditions = frozenset(condition for labels, _ in ways for condition, _ in labels if len(labels) == 1)
    found = [
        (labels.union((each, False) for each in conditions if (each, True) not in labels), value_of(m, part, path))
        for labels, part in ways
    ]
    return choose([*found, (frozenset((each, False) for each in conditions), Setting(path, "field"))])


def merged(tables: Sequence[Value]) -> Value:
    """Dicts of settings, the later over the earlier; what is not known may change each setting of those before it."""
    made = Table(())
    for each in tables:
        made = _over(made, each, "")
    return made


def _over(first: Table, second: Value, path: str) -> Table:
    later = dict(second.items) if isinstance(second, Table) else {}
    may_have_more = not isinstance(second, Table) or second.open
    pairs: dict[Value, Value] = {}
    for key, held in first.items:
        name = _below(path, key.value if isinstance(key, Const) else "")
        above = later.get(key)
        if isinstance(held, Table) and (above is None or isinstance(above, Table)):
            pairs[key] = held if above is None and not may_have_more else _over(held, above or UNKNOWN, name)
        elif above is not None:
            pairs[key] = above
        else:
            pairs[key] = Setting(name, "argument", held) if may_have_more and isinstance(held, Const) else held
    return Table(tuple({**later, **pairs}.items()), first.open or may_have_more)


def as_given(value: Value) -> Value:
    """Settings as the launches give them, or as they are by default where none does."""
    if isinstance(value, Setting) and value.source == "field":
        return value if value.default is None else value.default
    if isinstance(value, Alternatives):
        chosen = [(labels, option) for labels, option in value.options if any(truth for _, truth in labels)]
        if not any(isinstance(each, Setting) and each.source == "field" for each in _others(value)):
            return value  # what the program itself chooses
        given = [(labels, option) for labels, option in chosen if not any(map(_is_by_default, labels))]
        return choose(given or chosen or value.options)
    if isinstance(value, Table):
        given = tuple((key, as_given(held)) for key, held in value.items)
        is_same = all(held is before for (_, held), (_, before) in zip(given, value.items, strict=True))
        return value if is_same else Table(given)
    return rebuild(value, as_given) if isinstance(value, Items) else value


def _others(value: Alternatives) -> list[Value]:
    """What a choice comes to where none of its conditions holds."""
    return [option for labels, option in value.options if not any(truth for _, truth in labels)]


def _is_by_default(label: tuple[Value, bool]) -> bool:
    """Whether a condition says that an option has its default."""
    condition, truth = label
    if not isinstance(condition, Apply) or condition.operator != "==" or not truth:
        return False
    setting, text = condition.operands
    return isinstance(setting, Setting) and setting.default == text


def _below(path: str, key: object) -> str:
    return f"{path}.{key}" if path else str(key)


def _meant(m: Machine, key: object) -> Value | None:
    """A rank or a world size by the name of a setting: no file says it, the program has it from the launcher."""
    known = m.conventional(key) if isinstance(key, str) else None
    return known if isinstance(known, (Rank, WorldSize)) else None


def _switch(m: Machine, key: object, parts: Sequence[Part], path: str) -> Setting | None:
    """The switch by which a program runs distributed: a file is often written for both."""
    if not isinstance(key, str) or not m.named(key.lower(), "distributed_flags"):
        return None
    if any(isinstance(part.value, (dict, tuple)) for part in parts):
        return None
    part = parts[0]
    return Setting(_below(path, key), "field", Const(part.value, part.place) if part.is_known else NONE)
