"""Checks plain data (what YAML, TOML or JSON gives) against a JSON schema.

Our published schemas are also what is enforced at run time, so that the two cannot disagree. Only the keywords that
these schemas use are known: `type`, `enum`, `pattern`, `minLength`, `items`, `minItems`, `uniqueItems`, `properties`,
`required`, `additionalProperties`, `minimum`, `anyOf` and `$ref` to the schema's own `$defs`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

Schema = Mapping[str, Any]
Path = tuple[str | int, ...]

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
_NOUNS = {
    "object": "a table",
    "array": "a list",
    "string": "a string",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}


class Mistake(NamedTuple):
    """One thing that is wrong: `path` leads to it from the top, `message` says what is wrong and what is right."""

    path: Path
    message: str

    @property
    def key(self) -> str:
        """The path as people write it: `per-file-ignores."tests/*"` becomes `per-file-ignores.tests/*`, items `[0]`."""
        text = ""
        for step in self.path:
            text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
        return text


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint ` (did you mean `x`?)`, ready to append to a message; empty when nothing is near."""
    import difflib  # here, since only a mistake needs it

    found = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f" (did you mean `{found[0]}`?)" if found else ""


def mistakes(value: Any, schema: Schema) -> Iterator[Mistake]:
    """Everything in `value` that `schema` does not allow, in the order of the data."""
    return _check(value, schema, schema, ())


def _check(value: Any, schema: Schema, root: Schema, path: Path) -> Iterator[Mistake]:
    schema = _resolved(schema, root)
    if "anyOf" in schema:
        yield from _check_any(value, schema["anyOf"], root, path)
        return
    if "type" in schema and not _is_type(value, schema["type"]):
        yield Mistake(path, f"expected {_noun(schema['type'])}, found {_describe(value)}")
        return
    if "enum" in schema and value not in schema["enum"]:
        allowed = ", ".join(f"`{item}`" for item in schema["enum"])
        hint = nearest(str(value), [str(item) for item in schema["enum"]])
        yield Mistake(path, f"unknown value `{value}`{hint}" + ("" if hint else f"; expected one of {allowed}"))
    elif isinstance(value, str):
        yield from _check_string(value, schema, path)
    elif isinstance(value, (int, float)):
        yield from _check_number(value, schema, path)
    elif isinstance(value, list):
        yield from _check_list(value, schema, root, path)  # pyright: ignore[reportUnknownArgumentType]
    elif isinstance(value, dict):
        yield from _check_table(value, schema, root, path)  # pyright: ignore[reportUnknownArgumentType]


def _resolved(schema: Schema, root: Schema) -> Schema:
    while "$ref" in schema:
        schema = root["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    return schema


def _check_any(value: Any, given: list[Schema], root: Schema, path: Path) -> Iterator[Mistake]:
    """The branch of the value's own type speaks for all: its complaint is the one that a person can act on."""
    branches = [_resolved(branch, root) for branch in given]
    for branch in branches:
        if _is_type(value, branch["type"]):
            yield from _check(value, branch, root, path)
            return
    wanted = " or ".join(_noun(branch["type"]) for branch in branches)
    yield Mistake(path, f"expected {wanted}, found {_describe(value)}")


def _check_string(value: str, schema: Schema, path: Path) -> Iterator[Mistake]:
    if len(value.strip()) < schema.get("minLength", 0):
        yield Mistake(path, "must not be empty")
    elif "pattern" in schema and not re.search(schema["pattern"], value):
        wanted = schema.get("description", f"must match the pattern {schema['pattern']}")
        yield Mistake(path, f"`{value}` is not allowed here: {wanted}")


def _check_number(value: float, schema: Schema, path: Path) -> Iterator[Mistake]:
    if value < schema.get("minimum", value):
        yield Mistake(path, f"must be {schema['minimum']} or more")


def _check_list(value: list[Any], schema: Schema, root: Schema, path: Path) -> Iterator[Mistake]:
    if len(value) < schema.get("minItems", 0):
        yield Mistake(path, "must not be empty")
    for index, item in enumerate(value):
        if schema.get("uniqueItems") and item in value[:index]:
            yield Mistake((*path, index), f"`{item}` is here twice")
        yield from _check(item, schema.get("items", {}), root, (*path, index))


def _check_table(value: dict[Any, Any], schema: Schema, root: Schema, path: Path) -> Iterator[Mistake]:
    properties: Mapping[str, Schema] = schema.get("properties", {})
    meant = ""
    other: bool | Schema = schema.get("additionalProperties", True)
    for key, item in value.items():
        if not isinstance(key, str):
            yield Mistake((*path, str(key)), "a key must be a string")
        elif key in properties:
            yield from _check(item, properties[key], root, (*path, key))
        elif other is False:
            unused = [name for name in properties if name not in value]
            hint = nearest(key, unused) or nearest(key, properties)
            meant += hint
            yield Mistake((*path, key), f"unknown key `{key}`{hint}")
        elif isinstance(other, Mapping):
            yield from _check(item, other, root, (*path, key))
    for key in schema.get("required", ()):
        if key not in value and f"`{key}`" not in meant:  # one mistake is reported once
            yield Mistake((*path, key), f"the key `{key}` is missing")


def _is_type(value: Any, name: str) -> bool:
    # bool is a subclass of int, but `true` is not a number.
    return isinstance(value, _TYPES[name]) and (name == "boolean" or not isinstance(value, bool))


def _noun(name: str) -> str:
    return _NOUNS[name]


def _describe(value: Any) -> str:
    kind = next((noun for name, noun in _NOUNS.items() if _is_type(value, name)), f"a {type(value).__name__}")
    return f"{kind} ({value!r})" if isinstance(value, (str, int, float)) else kind
