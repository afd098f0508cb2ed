"""What Hydra composes of several files."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

import pytest

from ddl_lint.jobs.hydra_files import Composed, compose
from ddl_lint.jobs.settings_files import Part, part_of_yaml


def _composed(files: Mapping[str, str]) -> Composed | None:
    def read(name: str) -> tuple[Part, str] | None:
        text = textwrap.dedent(files.get(name, ""))
        part = part_of_yaml(text, name) if text else None
        return (part, text) if part is not None else None

    return compose(read, "train")


def _plain(part: Part) -> object:
    if not part.is_known:
        return "unknown"
    return {key: _plain(each) for key, each in part.value.items()} if isinstance(part.value, dict) else part.value


_MODELS = {
    "model/small.yaml": "depth: 18\nlr: 1\n",
    "model/large.yaml": "depth: 50\n",
    "model/nested.yaml": "defaults: [small, optim: sgd]\nwidth: 2\n",
    "model/optim/sgd.yaml": "name: sgd\n",
    "base.yaml": "seed: 1\nmodel: {lr: 3}\n",
    "data/everywhere.yaml": "# @package _global_\nbatch: 8\n",
    "data/elsewhere.yaml": "# @package loader.train\nbatch: 8\n",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mode: ddp\nhydra: {run: {dir: x}}\n", {"mode": "ddp"}),
        ("defaults: [_self_, model: small]\nmode: ddp\n", {"mode": "ddp", "model": {"depth": 18, "lr": 1}}),
        ("defaults: [model: small, _self_]\nmodel: {depth: 2}\n", {"model": {"depth": 2, "lr": 1}}),
        ("defaults: [_self_, model: small]\nmodel: {depth: 2}\n", {"model": {"depth": 18, "lr": 1}}),
        ("defaults: [model: small]\nmodel: {depth: 2}\n", {"model": {"depth": "unknown", "lr": 1}}),
        ("defaults: [base, model: small, _self_]\nseed: 2\n", {"seed": 2, "model": {"lr": 1, "depth": 18}}),
        (
            "defaults: [_self_, model: nested]\n",
            {"model": {"depth": 18, "lr": 1, "optim": {"name": "sgd"}, "width": 2}},
        ),
        ("defaults: [_self_, model: small, override model: large]\n", {"model": {"depth": 50}}),
        ("defaults: [_self_, override hydra/launcher: slurm]\nmode: ddp\n", {"mode": "ddp"}),
        ("defaults: [_self_, data: everywhere]\n", {"batch": 8}),
        ("defaults: [_self_, data: elsewhere]\n", {"loader": {"train": {"batch": 8}}}),
    ],
)
def test_defaults_lists_are_composed(text: str, expected: object) -> None:
    made = _composed({"train.yaml": text, **_MODELS})
    assert made is not None and _plain(made.settings) == expected


@pytest.mark.parametrize(
    "entry",
    ["model: missing", "model: ???", "model: '${size}'", "model@net: small", "optional model: small", "3", "train"],
)
def test_what_is_not_surely_a_part_of_it_leaves_it_unknown(entry: str) -> None:
    assert _composed({"train.yaml": f"defaults:\n  - {entry}\nmode: ddp\n", **_MODELS}) is None


def test_the_groups_are_told() -> None:
    made = _composed({"train.yaml": "defaults: [_self_, model: nested]\n", **_MODELS})
    assert made is not None and made.groups == {"model", "model/optim"}
