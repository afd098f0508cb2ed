"""The JSON schema of API model files, for editors. `python -m ddl_lint.frameworks.schema` writes it.

The loader does not need it: its own checks say more, and go further than a schema can.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ddl_lint.frameworks import loader
from ddl_lint.frameworks.model import (
    CONVENTION_NAMES,
    DEVICE_KINDS,
    FACILITIES,
    IDIOMS,
    OBJECT_KINDS,
    RETURN_CHOICES,
    RETURN_KINDS,
    RETURN_WORDS,
    TENSOR_FACTS,
    TENSOR_NAMES,
    TRAITS,
)
from ddl_lint.program.job_choices import CHOOSERS, ENGINES
from ddl_lint.program.kinds import EVENT_ROLES

SCHEMA_PATH = Path(__file__).with_name("model.schema.json")

_JSON_TYPES = {str: "string", bool: "boolean"}


def model_schema() -> dict[str, Any]:
    """The schema, made from the same vocabularies that the loader uses."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "ddl-lint API models",
        "description": "What the calls, classes and names of a framework mean to a training program.",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "framework": {"type": "string", "description": "Identifier of the framework; the file's name by default."},
            "title": {"type": "string"},
            "packages": _list({"type": "string"}, "Top-level import names; those of the models by default."),
            "modules": _map(_ref("name"), "Module that re-exports -> module whose name the models use."),
            "families": _map(
                _ref("name"), "Regular expression of whole names -> the class or function that describes all of them."
            ),
            "functions": _map({"anyOf": [_ref("function"), _ref("same_as")]}),
            "classes": _map({"anyOf": [_ref("class"), _ref("same_as")]}),
            "constants": _map(_ref("constant")),
            "idioms": {
                "type": "object",
                "description": "How code of the framework says a thing, with full names; fixes are made of it.",
                "additionalProperties": False,
                "properties": {name: {"type": "string"} for name in sorted(IDIOMS)},
            },
            "idioms_like": {
                "type": "string",
                "description": "The framework whose idioms hold where there are none here.",
            },
            "spellings": _map(
                {"type": "string"},
                "Module, class or function -> the name that imports give it; a module with its full name is there only "
                "when it is imported itself.",
            ),
            "own_group": {
                "type": "boolean",
                "description": "The processes of the framework form a group of their own, beside that of others.",
            },
            "backends": _map(
                _closed(
                    devices=_list(_enum(DEVICE_KINDS)),
                    matches_tags={"type": "boolean"},
                    assigns_ranks={"type": "boolean"},
                    carries=_list({"type": "string"}),
                    waiting={"type": "string"},
                    joining={"type": "string"},
                    patience={"type": "integer"},
                    operations=_map({"type": "string"}),
                ),
                "What carries the messages of a process group, or of a framework with an own group -> what it can do, "
                "and what it prints when ranks wait too long.",
            ),
            "tensors": {
                "type": "object",
                "description": "What names of attributes, methods and functions mean on tensors.",
                "additionalProperties": False,
                "properties": {name: _list({"type": "string"}) for name in sorted(TENSOR_NAMES)},
            },
            "environment": _map(_ref("returns"), "Environment variable -> meaning."),
            "names": {
                "type": "object",
                "additionalProperties": False,
                "properties": {name: _list({"type": "string"}) for name in sorted(CONVENTION_NAMES)},
            },
            "helpers": {
                "type": "object",
                "additionalProperties": False,
                "properties": {name: _list({"type": "string"}) for name in sorted(FACILITIES)},
            },
        },
        "$defs": {
            "name": {"type": "string", "pattern": rf"^{loader.DOTTED_NAME.pattern}$"},
            "version": {"type": "string", "pattern": rf"^{loader.VERSION.pattern}$"},
            "facility": _enum(FACILITIES),
            "object_kind": _enum(OBJECT_KINDS),
            "parameters": {
                "description": "A signature as Python writes it, or a list of its parts.",
                "anyOf": [{"type": "string"}, _list({"type": "string"})],
            },
            "returns": _returns(),
            "traits": _traits(),
            "condition": _condition(),
            "same_as": _same_as(),
            "function": _object(loader.FUNCTION_KEYS),
            "class": _object(loader.CLASS_KEYS),
            "method": _object(loader.METHOD_KEYS),
            "constant": _object(loader.CONSTANT_KEYS),
        },
    }


def _object(keys: Iterable[str]) -> dict[str, Any]:
    """An entry with some of the keys; nothing at all (`name:`) is an entry without any."""
    properties = _entry_properties()
    return {
        "type": ["object", "null"],
        "additionalProperties": False,
        "properties": {key: properties[key] for key in keys if key != "same_as"},
    }


def _entry_properties() -> dict[str, Any]:
    facilities = {"anyOf": [_ref("facility"), _list(_ref("facility"))]}
    parameters = _list({"type": "string"})
    return {
        "also": _list(_ref("name"), "Other import paths."),
        "parameters": _ref("parameters"),
        "event": {"anyOf": [_enum(EVENT_ROLES), {"type": "null"}]},
        "roles": _map({"type": "string"}, "Role of the event -> parameter, where the names differ."),
        "constants": _map({}, "Role of the event -> value that the call itself fixes."),
        "requires": {
            "anyOf": [
                *facilities["anyOf"],
                {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {
                        name: _closed(required=["unless_given"], unless_given=parameters) for name in FACILITIES
                    },
                },
            ]
        },
        "provides": facilities,
        "returns": _ref("returns"),
        "starts": _closed(
            required=["function"],
            function={"type": "string"},
            arguments={"type": "string"},
            keywords={"type": "string"},
            leading=_list(_ref("returns")),
            here={"type": "boolean"},
            otherwise={"type": "string"},
            options={"type": "boolean"},
            members={"type": "boolean"},
            main={"type": "boolean"},
            meeting={"type": "boolean"},
        ),
        "registers": _closed(instance={"type": "string"}),
        "calls": _closed(
            required=["function"],
            function={"type": "string"},
            condition={"type": "string"},
            leading=_list(_ref("returns")),
        ),
        "interrupts": {"type": "string"},
        "mutates": parameters,
        "documents": _map(parameters, "Parameter with data, or the path of a JSON file -> where it may be given."),
        "collective_when": {
            "anyOf": [
                _enum(loader.COLLECTIVE_WORDS),
                *(_closed(required=[w], **{w: _ref("condition")}) for w in loader.COLLECTIVE_WORDS),
            ]
        },
        "collective_since": _map(_ref("version")),
        "uniform": parameters,
        "places": _closed(required=["object"], object={"type": "string"}, device={}, default={}),
        "tensor": _closed(**{fact: {"type": "boolean"} for fact in sorted(TENSOR_FACTS)}),
        "traits": _ref("traits"),
        "ineffective": _closed(
            required=["since"],
            since=_map(_ref("version")),
            unless_imported=_list({"type": "string"}),
            unless_set=_list({"type": "string"}),
        ),
        "since": _ref("version"),
        "deprecated": _ref("version"),
        "removed": _ref("version"),
        "bases": _list(_ref("name")),
        "kind": _ref("object_kind"),
        "attributes": _map(_ref("returns")),
        "callable": _ref("method"),
        "methods": _map(_ref("method")),
        "hooks": _closed(required=["pattern"], pattern={"type": "string"}, arguments=_list(_ref("returns"))),
        "value": {"type": ["string", "number", "boolean", "null"]},
    }


def _returns() -> dict[str, Any]:
    nested = _ref("returns")
    values: dict[str, Any] = {
        **{word: {"const": True} for word in RETURN_WORDS},
        **{kind: _enum(choices) for kind, choices in RETURN_CHOICES.items()},
        **{
            kind: {"type": "string"}
            for kind in (
                "argument",
                "module_of",
                "rank_is",
                "element_of",
                "decoded",
                "merged",
                "inside",
                "range",
                "settings",
                "entry",
                "built",
                "located",
                "overridden",
            )
        },
        **{
            kind: _list({"type": "string"})
            for kind in ("derived", "asks", "exists", "mean", "sum", "composed", "registered")
        },
        "constant": {},
        "tuple": _list(nested),
        "table": _map(nested),
        "text": nested,
        "encoded": nested,
        "list_of": nested,
        "iterator_of": nested,
        "guarded": nested,
    }
    pair = {**_list(nested), "minItems": 2, "maxItems": 2}
    text = {"type": "string"}
    plain = sorted(RETURN_KINDS - {"instance", "environment", "per_rank", "regrouped", "settings", "built"})
    return {
        "anyOf": [
            _enum(RETURN_WORDS),
            *(_closed(required=[kind], **{kind: values[kind]}) for kind in plain),
            _closed(required=["environment"], environment={"type": "string"}, default={"type": "string"}),
            _closed(**{"per_rank": pair, "if": values["flag"]}, required=["per_rank"]),
            _closed(**{"regrouped": {"type": "string"}, "as": _ref("name")}, required=["regrouped", "as"]),
            _closed(required=["arguments"], arguments=values["arguments"], models=_ref("name")),
            _closed(required=["rank_is"], rank_is=values["rank_is"], scope=values["rank"], default={}),
            _closed(required=["guarded"], guarded=nested, function=nested),
            _closed(required=["settings"], settings=text, file=text, option=text),
            _closed(required=["built", "key"], built=text, key=text, registry=text),
            _closed(required=["argument"], argument=values["argument"], otherwise=nested),
            {
                "type": "object",
                "required": ["instance"],
                "properties": {"instance": {"type": "string"}},
                "additionalProperties": nested,
            },
        ]
    }


def _traits() -> dict[str, Any]:
    plain = {name: {"type": _JSON_TYPES[kind]} for name, kind in TRAITS.items()}
    return _closed(
        **{
            name: {"anyOf": [plain[name], _ref("condition")]} if kind is bool else plain[name]
            for name, kind in TRAITS.items()
        }
    )


def _condition() -> dict[str, Any]:
    value = {"type": ["string", "number", "boolean", "null"]}
    given = _closed(required=["given"], given={"const": True})
    above = _closed(required=["above"], above={"type": "integer"})
    one = {"anyOf": [value, given, above, _closed(required=["trait"], trait=_enum(TRAITS))]}
    questions = _map({"anyOf": [one, _list(one)]})
    choices = _closed(**dict.fromkeys(CHOOSERS, _list(_enum(ENGINES))))
    return _closed(**{"if": questions, "unless": questions, "job": choices})


def _same_as() -> dict[str, Any]:
    properties = _entry_properties()
    return _closed(
        required=["same_as"],
        same_as=_ref("name"),
        **{key: properties[key] for key in ("also", "parameters", "roles")},
    )


def _closed(required: Iterable[str] = (), **properties: Any) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "additionalProperties": False, "properties": properties}
    return {**schema, "required": list(required)} if required else schema


def _map(values: dict[str, Any], description: str = "") -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "additionalProperties": values}
    return {"description": description, **schema} if description else schema


def _list(items: dict[str, Any], description: str = "") -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "array", "items": items}
    return {"description": description, **schema} if description else schema


def _enum(words: Iterable[str]) -> dict[str, Any]:
    return {"enum": sorted(words)}


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def schema_text() -> str:
    """The schema as it is in the file."""
    return json.dumps(model_schema(), indent=2, sort_keys=True) + "\n"


if __name__ == "__main__":
    SCHEMA_PATH.write_text(schema_text(), encoding="utf-8")
