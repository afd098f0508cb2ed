"""Keys, items and options go with one separator; what stays is written as before."""

from __future__ import annotations

from pathlib import Path

import pytest

from cases import program_of_rule
from ddl_lint.check.case_marks import without_marks
from ddl_lint.fixes.apply import edited
from ddl_lint.fixes.configs.entries import moving, removing
from ddl_lint.jobs import tree
from ddl_lint.jobs.file_names import Kind
from ddl_lint.jobs.files import JobFile
from ddl_lint.source.nodes import Mapping, Member, Node
from programs import mend_program

_JSON = [
    ("first", '{"a": 1, "x": 2}', '{"x": 2}', ["a"]),
    ("middle", '{"a": 1, "x": 2, "b": 3}', '{"a": 1, "b": 3}', ["x"]),
    ("last", '{"a": 1, "x": {"y": 2}}', '{"a": 1}', ["x"]),
    ("only", '{"x": 1}', "{}", ["x"]),
    ("tight", '{"a":1,"x":2,"b":3}', '{"a":1,"b":3}', ["x"]),
    ("lines", '{\n  "a": 1,\n  "x": 2,\n  "b": 3\n}\n', '{\n  "a": 1,\n  "b": 3\n}\n', ["x"]),
    ("last line", '{\n  "a": 1,\n  "x": 2\n}\n', '{\n  "a": 1\n}\n', ["x"]),
    ("line ends", '{\r\n  "a": 1,\r\n  "x": 2\r\n}\r\n', '{\r\n  "a": 1\r\n}\r\n', ["x"]),
    ("neighbours", '{"a": 1, "x": 2, "y": 3}', '{"a": 1}', ["x", "y"]),
    ("apart", '{"x": 1, "a": 2, "y": 3}', '{"a": 2}', ["x", "y"]),
    ("comma after the last", '{"a": 1, "x": 2,}', '{"a": 1,}', ["x"]),
    (
        "comment",
        '{\n  "a": 1,  // one\n  "x": 2,  // two\n  "b": 3\n}',
        '{\n  "a": 1,  // one\n  // two\n  "b": 3\n}',
        ["x"],
    ),
    ("last with a comment", '{\n  "a": 1,  // one\n  "x": 2\n}', '{\n  "a": 1  // one\n}', ["x"]),
    ("comment inside", '{"a": 1, "x": {"y": 2 /* why */}}', None, ["x"]),
]
_YAML = [
    ("block", "a: 1\nx: 2\nb: 3\n", "a: 1\nb: 3\n", ["x"]),
    ("first", "x: 2\nb: 3\n", "b: 3\n", ["x"]),
    ("last", "a: 1\nx:\n  y: 2\n  z: [3]\n", "a: 1\n", ["x"]),
    ("no value", "a: 1\nx:\nb: 3\n", "a: 1\nb: 3\n", ["x"]),
    ("no value at the end", "a: 1\nx:\n", "a: 1\n", ["x"]),
    ("only", "x: 1\n", "{}\n", ["x"]),
    ("comment of the next", "a: 1\nx: 2\n# b\nb: 3\n", "a: 1\n# b\nb: 3\n", ["x"]),
    ("comment of its own", "a: 1\nx: 2  # two\nb: 3\n", "a: 1\n# two\nb: 3\n", ["x"]),
    ("last with a comment", "a: 1  # one\nx: 2\n", "a: 1  # one\n", ["x"]),
    ("brackets", "{a: 1, x: 2}\n", "{a: 1}\n", ["x"]),
    ("anchor", "x: &it {y: 1}\nb: *it\n", None, ["x"]),
    ("comment inside", "a: 1\nx:\n  # why\n  y: 2\nb: 3\n", None, ["x"]),
    ("text over lines", "a: 1\nx: |\n  y\n  z\nb: 3\n", "a: 1\nb: 3\n", ["x"]),
    ("two documents", "a: 1\nx: 2\n---\nb: 3\n", "a: 1\n---\nb: 3\n", ["x"]),
]


def _keys(file: JobFile, names: list[str]) -> list[Member]:
    return [each for name in names if (each := tree.member(file.roots[0], name)) is not None]


@pytest.mark.parametrize(
    ("kind", "text", "wanted", "names"),
    [
        pytest.param(kind, *case[1:], id=f"{kind}-{case[0]}")
        for kind, cases in (("json", _JSON), ("yaml", _YAML))
        for case in cases
    ],
)
def test_keys_go_with_their_separators(kind: Kind, text: str, wanted: str | None, names: list[str]) -> None:
    file = JobFile("/p/a", kind, text)
    fix = removing("Remove it", file, *_keys(file, names))
    assert (edited(text, fix.edits) if fix is not None else None) == wanted


@pytest.mark.parametrize(
    ("text", "wanted", "at"),
    [
        (
            "x:\n  - name: A\n    value: 1\n  - name: B\n  - name: C\n",
            "x:\n  - name: A\n    value: 1\n  - name: C\n",
            1,
        ),
        ("x:\n- name: A\n- name: B\ny: 1\n", "x:\n- name: A\ny: 1\n", 1),
        ("x:\n  - name: A\n    value: 1\ny: 1\n", "x: []\ny: 1\n", 0),
        ("x:\n  - a  # one\n  - b  # two\n", "x:\n  - a  # one\n  # two\n", 1),
        ("x:\n  - a-b\n  - c-d\n", "x:\n  - c-d\n", 0),
        ("x: [a, b, c]\n", "x: [a, c]\n", 1),
        ("x: [a]\n", "x: []\n", 0),
        ("x: &all [a, b]\ny: *all\n", None, 1),
        ("x: [&b b, c]\ny: *b\n", None, 0),
    ],
)
def test_items_go_with_their_separators(text: str, wanted: str | None, at: int) -> None:
    file = JobFile("/p/a.yaml", "yaml", text)
    fix = removing("Remove it", file, tree.items(tree.value(file.roots[0], "x"))[at])
    assert (edited(text, fix.edits) if fix is not None else None) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('{"x": 1, "home": {"a": 2}}', '{"home": {"a": 2, "x": 1}}'),
        ('{"home": {"a": 2}, "x": 1}', '{"home": {"a": 2, "x": 1}}'),
        ('{"x": [1, 2], "home": {}}', '{"home": {"x": [1, 2]}}'),
        (
            '{\n  "x": 1,\n  "home": {\n    "a": 2\n  }\n}\n',
            '{\n  "home": {\n    "a": 2,\n    "x": 1\n  }\n}\n',
        ),
        ('{"x": 1, "home": {"a": 2,}}', '{"home": {"a": 2, "x": 1,}}'),
    ],
)
def test_a_key_moves_into_another_mapping(text: str, wanted: str | None) -> None:
    file = JobFile("/p/a.json", "json", text)
    [member] = _keys(file, ["x"])
    home: Node | None = tree.value(file.roots[0], "home")
    assert isinstance(home, Mapping)
    fix = moving("Move it", file, member, home)
    assert (edited(text, fix.edits) if fix is not None else None) == wanted


@pytest.mark.parametrize(
    ("rule", "name", "file", "wanted"),
    [
        (
            "pytorchjob-launch-size",
            "same_rank_for_all_pods",
            "job.yaml",
            "                - --nproc_per_node=8\n                - train.py\n",
        ),
        (
            "pytorchjob-launch-size",
            "same_rank_in_brackets",
            "job.yaml",
            "[torchrun, --nnodes=4, --nproc_per_node=8, train.py]\n",
        ),
        ("pytorchjob-launch-size", "rank_and_address_in_a_shell", "job.yaml", "torchrun --nnodes=4 train.py\n"),
        ("launcher-option-after-script", "number_of_horovod", "run.sh", "horovodrun -np 2 python train.py\n"),
        ("pytorchjob-spec-invalid", "variable_of_the_operator", "job.yaml", "        value: INFO\n"),
        ("pytorchjob-spec-invalid", "only_a_variable_of_the_operator", "job.yaml", "    env: []\n    command"),
        ("dsconfig-unknown-key", "key_of_a_block_outside_of_it", "ds_config.json", '"stage": 3,\n    "stage3_max_live'),
        ("dsconfig-precision-conflict", "loss_scale_of_bf16", "ds_config.json", '"bf16": {"enabled": true}\n'),
        ("dsconfig-deprecated-or-removed-key", "both_names", "ds_config.json", '"stage": 2,\n    "offload_optimizer"'),
    ],
)
def test_what_the_rules_make_of_it(rule: str, name: str, file: str, wanted: str, tmp_path: Path) -> None:
    mended = mend_program(program_of_rule(rule, "flagged", name), tmp_path, lambda _, text: without_marks(text))
    assert wanted in mended.texts[file]
    assert not mended.left
