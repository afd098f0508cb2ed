"""Edits of YAML files: the text that becomes of them, what is refused, and files made at random."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
import yaml

from ddl_lint.finding import Edit
from ddl_lint.fixes.apply import edited
from ddl_lint.fixes.build import Unfixable
from ddl_lint.fixes.configs import yaml_text
from ddl_lint.jobs.yaml_positions import YamlError, read_yaml
from ddl_lint.source import Document
from ddl_lint.source.nodes import Alias, KeyPath, Mapping, Scalar, Value, find

_TEXT = """\
# accelerate
compute_environment: LOCAL_MACHINE  # here
fsdp_config:
  fsdp_offload_params: false
  fsdp_version: '1'   # quoted
  # fsdp_state_dict_type: FULL_STATE_DICT

# the rest
downcast_bf16: 'no'
machines: {a: 1, b: [2, 3]}
empty:
hosts:
- name: x
  slots: 4
- name: "y"
"""


def after(text: str, edits: Callable[..., list[Edit]], *args: object) -> str:
    """The text that edits make of a text; made again, they change nothing."""
    changed = edited(text, edits(Document("a.yaml", text), *args))
    if edits is not yaml_text.rename_key:
        assert edits(Document("a.yaml", changed), *args) == []
    return changed


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("path", "value", "old", "new"),
    [
        (("compute_environment",), "A_B", "LOCAL_MACHINE  #", "A_B  #"),
        (("fsdp_config", "fsdp_offload_params"), True, "params: false", "params: true"),
        (("fsdp_config", "fsdp_version"), "2", "'1'", "'2'"),
        (("fsdp_config", "fsdp_version"), 2, "'1'", "2"),
        (("downcast_bf16",), "no", "", ""),
        (("downcast_bf16",), False, "'no'", "false"),
        (("machines", "a"), "x", "a: 1", "a: x"),
        (("machines", "b", 1), 1e-5, "[2, 3]", "[2, 1.0e-05]"),
        (("machines", "b"), [], "[2, 3]", "[]"),
        (("machines", "c"), None, "3]}", "3], c: null}"),
        (("empty",), "yes", "empty:", "empty: 'yes'"),
        (("empty", "x"), "a: b", "empty:", "empty:\n  x: 'a: b'"),
        (("fsdp_config", "x"), "on", "# quoted", "# quoted\n  x: 'on'"),
        (("hosts", 0, "port"), 1, "slots: 4", "slots: 4\n  port: 1"),
        (("hosts", 1, "slots"), 8, '"y"', '"y"\n  slots: 8'),
        (("hosts", 1, "name"), "z", '"y"', '"z"'),
        (("new",), {"a": {"b": ["c", 1]}}, '"y"\n', '"y"\nnew:\n  a:\n    b: [c, 1]\n'),
    ],
)
def test_set_value(newline: str, path: KeyPath, value: Value, old: str, new: str) -> None:
    expected = _TEXT.replace(old, new, 1) if old else _TEXT
    changed = after(_TEXT.replace("\n", newline), yaml_text.set_value, path, value)
    assert changed == expected.replace("\n", newline)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (("fsdp_config", "fsdp_offload_params"), "  fsdp_offload_params: false\n", ""),
        (("fsdp_config", "fsdp_version"), "fsdp_version: '1'   #", "#"),
        (("fsdp_config", "nothing"), "", ""),
        (("empty",), "empty:\n", ""),
        (("empty", "x"), "", ""),
        (("machines",), "machines: {a: 1, b: [2, 3]}\n", ""),
        (("machines", "a"), "a: 1, ", ""),
        (("machines", "b"), ", b: [2, 3]", ""),
        (("hosts", 0, "name"), "name: x\n  ", ""),
        (("hosts", 1, "name"), 'name: "y"', "{}"),
        (("hosts",), 'hosts:\n- name: x\n  slots: 4\n- name: "y"\n', ""),
    ],
)
def test_remove_key(newline: str, path: KeyPath, old: str, new: str) -> None:
    expected = _TEXT.replace(old, new, 1) if old else _TEXT
    assert after(_TEXT.replace("\n", newline), yaml_text.remove_key, path) == expected.replace("\n", newline)


@pytest.mark.parametrize(
    ("before", "edits", "args", "expected"),
    [
        ("a: 1", yaml_text.set_value, (("b",), 2), "a: 1\nb: 2"),
        ("a:\n  b: 1", yaml_text.remove_key, (("a", "b"),), "a: {}"),
        ("a: # why\n  b: 1\n", yaml_text.remove_key, (("a", "b"),), "a: {} # why\n"),
        ("a: 1\nb: 2", yaml_text.remove_key, (("b",),), "a: 1"),
        ("a: 1\na: 2\nb: 3\n", yaml_text.remove_key, (("a",),), "b: 3\n"),
        ("a: 1\na: 2\n", yaml_text.set_value, (("a",), 3), "a: 1\na: 3\n"),
        ("a: 1\n---\na: 2\n", yaml_text.set_value, (("a",), 3, 1), "a: 1\n---\na: 3\n"),
        ("a: 1\n---\nb: 2\n", yaml_text.set_value, (("c",), 3, 0), "a: 1\nc: 3\n---\nb: 2\n"),
        ("a: True\n", yaml_text.set_value, (("b",), False), "a: True\nb: False\n"),
        ("a: yes\n", yaml_text.set_value, (("a",), False), "a: false\n"),
        ("on:\n  push: 1\n", yaml_text.set_value, (("on", "push"), 2), "on:\n  push: 2\n"),
        ("a: |\n  x\n\n# end\n", yaml_text.set_value, (("b",), 2), "a: |\n  x\nb: 2\n\n# end\n"),
        ("a:\n    b: 1\n", yaml_text.set_value, (("c", "d"), 2), "a:\n    b: 1\nc:\n    d: 2\n"),
        ("a: ${{ x }}\nb: 1\n", yaml_text.set_value, (("b",), 2), "a: ${{ x }}\nb: 2\n"),
        ("a: '{% x %}'\nb: 1\n", yaml_text.set_value, (("b",), 2), "a: '{% x %}'\nb: 2\n"),
        ("a: &x {c: 1}\nb: 1\n", yaml_text.set_value, (("a", "c"), 2), "a: &x {c: 2}\nb: 1\n"),
        (
            "a: &x\n  c: 1\nb:\n  <<: *x\n",
            yaml_text.set_value,
            (("b", "c"), 2),
            "a: &x\n  c: 1\nb:\n  <<: *x\n  c: 2\n",
        ),
        ("'a': 1 # é😀\nb: 2\n", yaml_text.rename_key, (("a",), "on"), "'on': 1 # é😀\nb: 2\n"),
        ("a: {b: 1}\n", yaml_text.rename_key, (("a", "b"), "c"), "a: {c: 1}\n"),
        ("b: 2\n", yaml_text.rename_key, (("a",), "b"), "b: 2\n"),
    ],
)
def test_small_files(before: str, edits: Callable[..., list[Edit]], args: tuple[object, ...], expected: str) -> None:
    assert after(before, edits, *args) == expected


@pytest.mark.parametrize(
    ("before", "edits", "args"),
    [
        ("a: [1\n", yaml_text.set_value, (("a",), 2)),
        ("\t- a\n", yaml_text.set_value, (("a",), 2)),
        ("", yaml_text.set_value, (("a",), 2)),
        ("a: 1\n", yaml_text.set_value, (("a",), 2, 1)),
        ("a: {{ x }}\nb: 1\n", yaml_text.set_value, (("b",), 2)),
        ("{{- if x }}\nb: 1\n{{- end }}\n", yaml_text.set_value, (("b",), 2)),
        ("a: '{{ x }}'\n", yaml_text.set_value, (("a",), 2)),
        ("a: ${{ x }}\n", yaml_text.set_value, (("a",), 2)),
        ("a: &x 1\nb: *x\n", yaml_text.set_value, (("a",), 2)),
        ("a: &x 1\nb: *x\n", yaml_text.set_value, (("b",), 2)),
        ("a: &x 1\n", yaml_text.set_value, (("a",), 2)),
        ("a: &x {c: 1}\nb: *x\n", yaml_text.set_value, (("a", "c"), 2)),
        ("a: &x {c: 1}\nb: *x\n", yaml_text.set_value, (("b", "c"), 2)),
        ("a: &x {c: 1}\nb: *x\n", yaml_text.remove_key, (("a",),)),
        ("a: &x\n  c: 1\nb:\n  <<: *x\n  c: 2\n", yaml_text.remove_key, (("b", "c"),)),
        ("a: &x {c: {d: 1}}\nb:\n  <<: *x\n", yaml_text.set_value, (("b", "c", "d"), 2)),
        ("a: &x {c: {d: 1}}\nb:\n  <<: *x\n", yaml_text.remove_key, (("b", "c", "d"),)),
        ("a: &x {c: 1}\nb:\n  <<: *x\n", yaml_text.remove_key, (("b", "c"),)),
        ("a: !!str 1\n", yaml_text.set_value, (("a",), 2)),
        ("a: |\n  x\n", yaml_text.set_value, (("a",), 2)),
        ("a:\n  b: 1\n", yaml_text.set_value, (("a",), 2)),
        ("a: [1, # one\n  2]\n", yaml_text.set_value, (("a",), 2)),
        ("a:\n  # one\n  b: 1\nc: 2\n", yaml_text.remove_key, (("a",),)),
        ("a:\n  b: 1 # one\nc: 2\n", yaml_text.remove_key, (("a",),)),
        ("a:\n  b: 1\n  # one\nc: 2\n", yaml_text.remove_key, (("a",),)),
        ("- 1\n", yaml_text.remove_key, ((0,),)),
        ("a: 1\n", yaml_text.set_value, (("a", "b"), 2)),
        ("a: 1\n", yaml_text.set_value, (("a",), float("inf"))),
        ("a: 1\nb: 2\n", yaml_text.rename_key, (("a",), "b")),
        ("a: 1\n", yaml_text.rename_key, (("c",), "b")),
        ("a: 1\na: 2\n", yaml_text.rename_key, (("a",), "b")),
        ("a: 1\n", yaml_text.add_key, (("a",), 2)),
        ("a: |+\n  x\n\nb: 1\n", yaml_text.remove_key, (("b", "c"),)),
    ],
)
def test_refused(before: str, edits: Callable[..., list[Edit]], args: tuple[object, ...]) -> None:
    with pytest.raises(Unfixable):
        edits(Document("a.yaml", before), *args)


_STRINGS = [
    *[
        "no",
        "on",
        "Off",
        "y",
        "N",
        "null",
        "~",
        "1e-5",
        "1.0e-5",
        "0x1F",
        "0o7",
        "007",
        "1_000",
        "12:30:45",
        "2024-01-01",
        ".5",
        ".inf",
        "-1",
        "+1",
        "NaN",
        "1e5",
        "=",
        "<<",
    ],
    *[
        "a: b",
        "a #b",
        "a:",
        "# a",
        "- a",
        "-",
        "?",
        ": a",
        "!x",
        "&a",
        "*a",
        "{a}",
        "[a]",
        "a, b",
        "'a'",
        '"a"',
        "%a",
        "@a",
        "`a`",
        "  a",
        "a ",
        "a b",
        "a/b.py",
        "/x/y",
        "a:b",
    ],
    *["é", "日本", "True story", "a'b", "a\tb", "a\\nb", "a\\"],
]


@pytest.mark.parametrize("text", [*_STRINGS, "", "a\nb", "\u2028", "\x07"])
@pytest.mark.parametrize("before", ["a: x\n", "a: 'x'\n", 'a: "x"\n', "a: {b: 'c'}\n", "a: {b: c}\n"])
def test_strings_are_read_as_strings(before: str, text: str) -> None:
    path = ("a", "b") if "{" in before else ("a",)
    changed = after(before, yaml_text.set_value, path, text)
    for loader in (yaml.SafeLoader, yaml.CSafeLoader):
        value: Any = yaml.load(changed, Loader=loader)["a"]
        assert (value["b"] if "b" in path else value) == text
    if re.fullmatch(r"[-+.\dexob_:]+|(?i:y|n|no|on|off|null|~|nan|true|false)", text) and text not in (":", "-"):
        assert re.search(r"['\"]", changed.split(":", 1)[1])


def test_positions() -> None:
    text = "a: &x 1 # one\nb:\n  - *x\n  - yes\n  - |  # head\n    # text\n\n# end\n---\n[]\n"
    read = read_yaml(text)
    assert [text[slice(*span)] for span in read.comments] == ["# one", "# head", "# end"]
    assert len(read.roots) == 2
    values = [find(read.roots[0], ("b", index)) for index in range(3)]
    assert isinstance(values[0], Alias)
    assert isinstance(values[1], Scalar)
    assert isinstance(values[2], Scalar)
    assert (values[1].value, values[1].text) == (True, "yes")
    assert text[slice(*values[2].span)] == "|  # head\n    # text"
    assert isinstance(read.roots[0], Mapping)
    with pytest.raises(YamlError):
        read_yaml("a: [")


# --- files made at random -------------------------------------------------------------------------------------

_KEYS = ["stage", "lr", "a b", "é", "on", "x/y", "7"]
_SCALARS: list[Any] = [None, True, False, 0, -1, 0.5, 1e-8, "auto", "", "no", "a # b", "a\nb\n", "x: y", "long " * 30]


def some_value(rng: random.Random, depth: int = 0) -> Any:
    kind = rng.random()
    if depth < 3 and kind < 0.45:
        return {key: some_value(rng, depth + 1) for key in rng.sample(_KEYS, rng.randint(0, 4))}
    if depth < 3 and kind < 0.6:
        return [some_value(rng, depth + 1) for _ in range(rng.randint(0, 3))]
    return rng.choice(_SCALARS)


def paths_of(value: Any, path: KeyPath = ()) -> list[tuple[KeyPath, Any]]:
    """All key paths of a value."""
    found = [(path, value)]
    steps = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    for step in steps:
        found.extend(paths_of(value[step], (*path, step)))
    return found


def with_comments(rng: random.Random, text: str) -> str:
    """Comments put where the data stay the same."""
    lines = text.split("\n")
    for _ in range(3):
        place = rng.randrange(len(lines))
        choices = [[*lines[:place], " " * rng.randint(0, 4) + "# note: 1", *lines[place:]]]
        choices.append([*lines[:place], lines[place] + "  # at the end", *lines[place + 1 :]])
        new = rng.choice(choices)
        try:
            if repr(yaml.safe_load("\n".join(new))) == repr(yaml.safe_load(text)):
                lines = new
        except yaml.YAMLError:
            continue
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(120))
def test_random_files(seed: int) -> None:
    rng = random.Random(seed)
    value = {"top": some_value(rng), **{key: some_value(rng) for key in rng.sample(_KEYS, 3)}}
    text = yaml.safe_dump(
        value,
        default_flow_style=rng.choice([None, False, True]),
        default_style=rng.choice([None, None, '"', "'"]),
        indent=rng.choice([2, 4]),
        allow_unicode=True,
        sort_keys=False,
    )
    assert repr(yaml.safe_load(text)) == repr(value)
    text = with_comments(rng, text)
    if seed % 3 == 0:
        text = text.replace("\n", "\r\n")
    comments = [text[slice(*span)] for span in read_yaml(text).comments]
    for path, old in rng.sample(paths_of(value), min(5, len(paths_of(value)))):
        wanted = yaml.safe_load(text)
        owner: Any = wanted
        for step in path[:-1]:
            owner = owner[step]
        kind = rng.choice(["set", "remove", "rename", "add"])
        new = some_value(rng, 2)
        try:
            if kind == "add" and isinstance(old, dict):
                changed = after(text, yaml_text.add_key, (*path, "new"), new)
                owner = wanted
                for step in path:
                    owner = owner[step]
                owner["new"] = new
            elif path and kind == "remove" and isinstance(path[-1], str):
                changed = after(text, yaml_text.remove_key, path)
                del owner[path[-1]]
            elif path and kind == "rename" and isinstance(path[-1], str):
                changed = after(text, yaml_text.rename_key, path, "new")
                renamed = {"new" if key == path[-1] else key: each for key, each in owner.items()}
                owner.clear()
                owner.update(renamed)
            elif path:
                changed = after(text, yaml_text.set_value, path, new)
                owner[path[-1]] = new
            else:
                continue
        except Unfixable:
            continue
        assert repr(yaml.safe_load(changed)) == repr(wanted)
        assert [changed[slice(*span)] for span in read_yaml(changed).comments] == comments
