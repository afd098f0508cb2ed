"""Data that a program takes from JSON: texts, and files that lie beside it."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, cast

from ddl_lint.analysis.interpreter.library import parsers
from ddl_lint.analysis.interpreter.machine import Machine, text_of
from ddl_lint.analysis.values.lattice import map_alternatives
from ddl_lint.analysis.values.operators import apply
from ddl_lint.analysis.values.visitors import parts
from ddl_lint.frameworks.bind import Bound
from ddl_lint.frameworks.model import FunctionModel
from ddl_lint.program.values import NONE, UNKNOWN, Apply, Const, Items, Object, Setting, Table, Unknown, Value


def read_documents(m: Machine, model: FunctionModel, bound: Bound[Value]) -> None:
    """Put the data in the place of arguments that name it, wherever the call has them."""
    for parameter, places in model.documents.items():
        given = (_given(m, bound, place) for place in places)
        value = next((value for value in given if value not in (None, NONE)), None)
        bound.values[parameter] = UNKNOWN if value is None else map_alternatives(value, lambda v: _document(m, v))


def _given(m: Machine, bound: Bound[Value], place: str) -> Value | None:
    """What is at a place: a parameter, or an attribute of one."""
    name, _, attribute = place.partition(".")
    value = bound.values.get(name)
    if value is None and name in bound.unknown:
        return UNKNOWN
    if not attribute or value is None or value == NONE:
        return value
    if not isinstance(value, Object):
        return UNKNOWN
    held = parsers.setting(m, value, attribute)
    return Setting(attribute, "argument") if isinstance(held, Unknown) else held


def _document(m: Machine, value: Value) -> Value:
    """Data as it is; a path means what is in the file."""
    named = _named(m, value)
    if named is not None:
        data = m.json_files.read(named, m.run.path)
        return UNKNOWN if data is None else _literal(data)
    return value if isinstance(value, (Table, Object)) else UNKNOWN


def _named(m: Machine, value: Value) -> str | None:
    """The path that a value is: a text, an option of the program, a path object."""
    if isinstance(value, Setting):
        given = m.json_files.given_for(m.run.path, value.name)
        return given if given is not None else None if value.default is None else _named(m, value.default)
    if isinstance(value, Object) and value.kind == "path":
        parts = value.given.get("args", value.given.get("path"))
        alone = parts.items[0] if isinstance(parts, Items) and len(parts.items) == 1 and not parts.open else parts
        return None if alone is None or isinstance(alone, Items) else _named(m, alone)
    return _beside(value) if isinstance(value, Apply) else text_of(value)


_JOINS = frozenset({"derived", "text", "+", "/"})


def _beside(path: Apply) -> str | None:
    """The path of a file that lies at a known place near the program's own: `join(dirname(__file__), "ds.json")`."""
    names: list[str] = []
    for part in parts(path):
        if isinstance(part, Const) and isinstance(part.value, str):
            names.insert(0, part.value.strip("/"))
        elif isinstance(part, Apply):
            if part.operator not in _JOINS:
                return None
        elif not isinstance(part, Items) and not _is_own_file(part):
            return None
    return "/".join(names) or None


def _is_own_file(value: Value) -> bool:
    origin: object = value.origin if isinstance(value, Unknown) else None
    return isinstance(origin, tuple) and "__file__" in origin


def decoded(m: Machine, text: Value) -> Value:
    """What a JSON text means, or a file that holds one and was opened to be read."""
    if isinstance(text, Apply) and text.operator == "encoded":
        return text.operands[0]
    if isinstance(text, Const) and isinstance(text.value, str):
        with suppress(ValueError, RecursionError):
            return _literal(json.loads(text.value))
    is_read = isinstance(text, Apply) and text.operator == "derived" and bool(text.operands)
    source = text.operands[0] if is_read and isinstance(text, Apply) else text
    path = source if isinstance(source, Object) and source.kind == "path" else _opened(source)
    named = _named(m, path) if path is not None else None
    data = m.json_files.read(named, m.run.path) if named is not None else None
    return apply("derived", text) if data is None else _literal(data)


def _opened(value: Value) -> Value | None:
    return value.given.get("path") if isinstance(value, Object) and "mode" in value.given else None


def _literal(value: Any) -> Value:
    if isinstance(value, dict):
        pairs = cast("dict[str, Any]", value).items()
        return Table(tuple((Const(key), _literal(part)) for key, part in pairs))
    if isinstance(value, list):
        return Items("list", tuple(map(_literal, cast("list[Any]", value))))
    return Const(value)
