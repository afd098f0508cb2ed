"""Edits of JSON files: the text that becomes of them, what is refused, and files made at random."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from ddl_lint.finding import Edit
from ddl_lint.fixes.apply import edited
from ddl_lint.fixes.build import Unfixable
from ddl_lint.fixes.configs import json_text
from ddl_lint.source import Document
from ddl_lint.source.json_positions import JsonError, read_json
from ddl_lint.source.nodes import KeyPath, Mapping, Scalar, Value, find

_SECTION = '{\n  "zero_optimization": {\n    "stage": 2\n  },\n  "fp16": {"enabled": true}\n}\n'


def after(text: str, edits: Callable[..., list[Edit]], *args: object) -> str:
    """The text that edits make of a text; made again, they change nothing."""
    changed = edited(text, edits(Document("ds.json", text), *args))
    if edits is not json_text.rename_key:
        assert edits(Document("ds.json", changed), *args) == []
    return changed


@pytest.mark.parametrize(
    ("before", "path", "value", "expected"),
    [
        ('{"a": 1}', ("a",), 2, '{"a": 2}'),
        ('{"a": 1}', ("a",), 1, '{"a": 1}'),
        ('{"a": 1}', ("a",), True, '{"a": true}'),
        ('{"a": 1}', ("a",), 1e-5, '{"a": 1e-05}'),
        ('{"a": "x\\u00e9\\"}"}', ("a",), "é", '{"a": "\\u00e9"}'),
        ('{"k": "ä", "a": 1}', ("a",), "é", '{"k": "ä", "a": "é"}'),
        ('{"a": 1, "a": 2}', ("a",), 3, '{"a": 1, "a": 3}'),
        ('{"a": [1, {"b": null}]}', ("a", 1, "b"), False, '{"a": [1, {"b": false}]}'),
        ('{\r\n\t"a": 1\r\n}\r\n', ("a",), "b", '{\r\n\t"a": "b"\r\n}\r\n'),
        ('{"a": 1 /* one */ } // end', ("a",), 2, '{"a": 2 /* one */ } // end'),
        ('{"a": 1}', ("a",), {"b": [1, 2]}, '{"a": {"b": [1, 2]}}'),
        # keys that are not there
        ('{"a": 1}', ("b",), 2, '{"a": 1, "b": 2}'),
        ('{"a":1}', ("b",), 2, '{"a":1,"b":2}'),
        ('{"a":1,"b":2}', ("c",), [1, 2], '{"a":1,"b":2,"c":[1,2]}'),
        ('{ "a": 1 }', ("b",), 2, '{ "a": 1, "b": 2 }'),
        ('{"a": 1,}', ("b",), 2, '{"a": 1, "b": 2,}'),
        ("{}", ("b",), 2, '{\n    "b": 2\n}'),
        ('{"a": {}}', ("a", "b"), 2, '{"a": {"b": 2}}'),
        ('{\n  "a": {}\n}', ("a", "b"), 2, '{\n  "a": {\n    "b": 2\n  }\n}'),
        ('{\n  "a": 1\n}', ("b", "c"), 2, '{\n  "a": 1,\n  "b": {\n    "c": 2\n  }\n}'),
        ('{\r\n\t"a": 1\r\n}\r\n', ("b",), 2, '{\r\n\t"a": 1,\r\n\t"b": 2\r\n}\r\n'),
        ('{\n  "a": 1 // one\n}', ("b",), 2, '{\n  "a": 1, // one\n  "b": 2\n}'),
        ('{\n  "a": 1, // one\n}', ("b",), 2, '{\n  "a": 1, // one\n  "b": 2,\n}'),
        ('{\n  "a": 1\n  // "b": 3\n}', ("b",), 2, '{\n  "a": 1,\n  "b": 2\n  // "b": 3\n}'),
        ("{\n  // nothing yet\n}", ("b",), 2, '{\n  // nothing yet\n    "b": 2\n}'),
        ('{\n  "a": 1, "b": 2\n}', ("c",), 3, '{\n  "a": 1, "b": 2, "c": 3\n}'),
        ('{\n  "a" : 1\n}', ("b",), 2, '{\n  "a" : 1,\n  "b" : 2\n}'),
        (_SECTION, ("zero_optimization", "stage"), 3, _SECTION.replace("2", "3")),
        (_SECTION, ("fp16", "loss_scale"), 0, _SECTION.replace("true", 'true, "loss_scale": 0')),
        (
            _SECTION,
            ("zero_optimization", "offload_param", "device"),
            "cpu",
            _SECTION.replace('"stage": 2', '"stage": 2,\n    "offload_param": {\n      "device": "cpu"\n    }'),
        ),
    ],
)
def test_set_value(before: str, path: KeyPath, value: Value, expected: str) -> None:
    assert after(before, json_text.set_value, path, value) == expected


@pytest.mark.parametrize(
    ("before", "path", "expected"),
    [
        ('{"a": 1}', ("a",), "{}"),
        ('{\n  "a": 1\n}', ("a",), "{}"),
        ('{"a": 1}', ("b",), '{"a": 1}'),
        ('{"a": 1}', ("b", "c"), '{"a": 1}'),
        ('{"a": 1, "b": 2, "c": 3}', ("b",), '{"a": 1, "c": 3}'),
        ('{"a": 1, "b": 2}', ("a",), '{"b": 2}'),
        ('{"a": 1, "b": 2}', ("b",), '{"a": 1}'),
        ('{"a": 1, "b": 2, "a": 3}', ("a",), '{"b": 2}'),
        ('{\n  "a": 1,\n  "b": {\n    "x": 1\n  },\n  "c": 3\n}', ("b",), '{\n  "a": 1,\n  "c": 3\n}'),
        ('{\r\n\t"a": 1,\r\n\t"b": 2\r\n}\r\n', ("b",), '{\r\n\t"a": 1\r\n}\r\n'),
        ('{\n  "a": 1,\n  "b": 2,\n}', ("b",), '{\n  "a": 1,\n}'),
        ('{\n  "a": 1, // one\n  "b": 2\n}', ("b",), '{\n  "a": 1 // one\n}'),
        ('{\n  "a": 1,\n  "b": 2 // two\n}', ("b",), '{\n  "a": 1\n  // two\n}'),
        ('{\n  "a": 1, // one\n  "b": 2\n}', ("a",), '{\n  // one\n  "b": 2\n}'),
        ('{\n  "a": 1, "b": 2,\n  "c": 3\n}', ("b",), '{\n  "a": 1,\n  "c": 3\n}'),
        ('{\n  "a": 1,\n  "b": 2 }', ("b",), '{\n  "a": 1 }'),
    ],
)
def test_remove_key(before: str, path: KeyPath, expected: str) -> None:
    assert after(before, json_text.remove_key, path) == expected


def test_rename_key() -> None:
    text = '{\n  "a": 1, // one\n  "b": {"a": 2}\n}'
    assert after(text, json_text.rename_key, ("b", "a"), "c") == text.replace('"a": 2', '"c": 2')
    assert after(text, json_text.rename_key, ("a",), "c") == text.replace('"a": 1', '"c": 1')
    assert after(text, json_text.rename_key, ("a",), "a") == text


@pytest.mark.parametrize(
    ("before", "edits", "args"),
    [
        ("{'a': 1}", json_text.set_value, (("a",), 1)),
        ('{"a": 1} {', json_text.set_value, (("a",), 1)),
        ("", json_text.set_value, (("a",), 1)),
        ("[" * 300 + "]" * 300, json_text.set_value, (("a",), 1)),
        ('{"a": 1}', json_text.set_value, (("a", "b"), 1)),
        ('{"a": [1]}', json_text.set_value, (("a", 3), 1)),
        ('{"a": 1}', json_text.set_value, (("b", 0), 1)),
        ('{"a": 1}', json_text.set_value, (("a",), float("nan"))),
        ('{"a": {"b": 1 /* one */}}', json_text.set_value, (("a",), 1)),
        ('{"a": {"b": 1 /* one */}}', json_text.remove_key, (("a",),)),
        ('{"a": [1]}', json_text.remove_key, (("a", 0),)),
        ('{"a": 1}', json_text.remove_key, ((),)),
        ('{"a": 1}', json_text.add_key, (("a",), 2)),
        ('{"a": 1, "a": 2}', json_text.rename_key, (("a",), "b")),
        ('{"a": 1, "b": 2}', json_text.rename_key, (("a",), "b")),
        ('{"a": 1}', json_text.rename_key, (("c",), "b")),
    ],
)
def test_refused(before: str, edits: Callable[..., list[Edit]], args: tuple[object, ...]) -> None:
    with pytest.raises(Unfixable):
        edits(Document("ds.json", before), *args)


def test_add_key() -> None:
    assert after('{"a": 1}', json_text.add_key, ("b", "c"), "d") == '{"a": 1, "b": {"c": "d"}}'


def test_positions() -> None:
    text = '{"é": [1.5, "\\u00e9"], "x": {"y": null,}} // end'
    read = read_json(text)
    node = find(read.root, ("é", 1))
    assert isinstance(node, Scalar)
    assert (node.value, text[slice(*node.span)]) == ("é", '"\\u00e9"')
    assert isinstance(read.root, Mapping)
    assert [text[slice(*member.key.span)] for member in read.root.members] == ['"é"', '"x"']
    assert [text[slice(*span)] for span in (*read.comments, *read.trailing_commas)] == ["// end", ","]
    assert not read.is_strict


@pytest.mark.parametrize(
    "text", ['{"a" 1}', '{"a": 01}', '{"a": tru}', '{"a": "x\ny"}', "{/* }", '{"a": 1 "b": 2}', "[,]"]
)
def test_no_json(text: str) -> None:
    with pytest.raises(JsonError):
        read_json(text)


# --- files made at random -------------------------------------------------------------------------------------

_KEYS = ["stage", "lr", "a b", "é", 'q"', "x/y", "fp16", "//"]
_SCALARS: list[Any] = [None, True, False, 0, 3, -1, 0.5, 1e-8, "auto", "", "é\t", "# no", "// no", "{", '"']


def some_value(rng: random.Random, depth: int = 0) -> Any:
    kind = rng.random()
    if depth < 3 and kind < 0.4:
        return {key: some_value(rng, depth + 1) for key in rng.sample(_KEYS, rng.randint(0, 4))}
    if depth < 3 and kind < 0.55:
        return [some_value(rng, depth + 1) for _ in range(rng.randint(0, 3))]
    return rng.choice(_SCALARS)


def some_text(rng: random.Random, value: Any, newline: str, with_comments: bool) -> str:
    """A value as JSON in a random layout."""

    def gap() -> str:
        choice = rng.random()
        if with_comments and choice < 0.15:
            return rng.choice([" // note, }" + newline, " /* x: 1 */ ", f"{newline}\t# note{newline}"])
        return rng.choice(["", " ", newline, f"{newline}  ", f"{newline}\t\t"])

    if isinstance(value, dict):
        parts = [
            f"{gap()}{json.dumps(key, ensure_ascii=rng.random() < 0.5)}{gap()}:{gap()}"
            f"{some_text(rng, each, newline, with_comments)}{gap()}"
            for key, each in value.items()
        ]
    elif isinstance(value, list):
        parts = [f"{gap()}{some_text(rng, each, newline, with_comments)}{gap()}" for each in value]
    else:
        return json.dumps(value, ensure_ascii=rng.random() < 0.5)
    comma = "," if parts and with_comments and rng.random() < 0.2 else ""
    brackets = "{}" if isinstance(value, dict) else "[]"
    return f"{brackets[0]}{','.join(parts)}{comma}{gap()}{brackets[1]}"


def paths_of(value: Any, path: KeyPath = ()) -> list[tuple[KeyPath, Any]]:
    """All key paths of a value."""
    found = [(path, value)]
    steps = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    for step in steps:
        found.extend(paths_of(value[step], (*path, step)))
    return found


def plain(text: str) -> Any:
    """What a text holds, read by our reader."""

    def of(node: Any) -> Any:
        if isinstance(node, Scalar):
            return node.value
        if isinstance(node, Mapping):
            return {member.name: of(member.value) for member in node.members}
        return [of(item) for item in node.items]

    return of(read_json(text).root)


@pytest.mark.parametrize("seed", range(150))
def test_random_files(seed: int) -> None:
    rng = random.Random(seed)
    value = {"top": some_value(rng), **{key: some_value(rng) for key in rng.sample(_KEYS, 3)}}
    with_comments = bool(seed % 2)
    text = some_text(rng, value, rng.choice(["\n", "\r\n"]), with_comments)
    assert repr(plain(text)) == repr(value)
    comments = [text[slice(*span)] for span in read_json(text).comments]
    for path, old in rng.sample(paths_of(value), min(5, len(paths_of(value)))):
        wanted = json.loads(json.dumps(value))
        owner: Any = wanted
        for step in path[:-1]:
            owner = owner[step]
        kind = rng.choice(["set", "remove", "rename", "add"])
        new = some_value(rng, 2)
        try:
            if kind == "add" and isinstance(old, dict):
                changed = after(text, json_text.add_key, (*path, "new"), new)
                owner = wanted
                for step in path:
                    owner = owner[step]
                owner["new"] = new
            elif path and kind == "remove" and isinstance(path[-1], str):
                changed = after(text, json_text.remove_key, path)
                del owner[path[-1]]
            elif path and kind == "rename" and isinstance(path[-1], str):
                changed = after(text, json_text.rename_key, path, "new")
                renamed = {"new" if key == path[-1] else key: each for key, each in owner.items()}
                owner.clear()
                owner.update(renamed)
            elif path:
                changed = after(text, json_text.set_value, path, new)
                owner[path[-1]] = new
            else:
                continue
        except Unfixable as reason:
            assert with_comments and "comments inside" in str(reason)
            continue
        assert repr(plain(changed)) == repr(wanted)
        assert [changed[slice(*span)] for span in read_json(changed).comments] == comments
        if not with_comments:
            assert repr(json.loads(changed)) == repr(wanted)
