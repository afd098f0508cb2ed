"""Finds `auto` in configurations that DeepSpeed reads itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from ddl_lint.rulekit import (
    Const,
    EngineConfig,
    Evidence,
    Finding,
    JobsView,
    Launch,
    Location,
    RunView,
    Table,
    engine_configs,
    engines,
    is_constant,
    nodes,
    tree,
)

_TOP = ("train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps", "gradient_clipping")
_LEFT = "left"
"""The first part of what is published about an engine: `auto` is left at these keys where it is made."""

_BLOCKS = ("optimizer", "scheduler")
_MESSAGE = 'only Hugging Face trainers replace "auto"; DeepSpeed itself reads it as a string'


def publish(run: RunView) -> Iterable[object]:
    """The frameworks that train in a script, and the keys that still say `auto` where it makes an engine itself."""
    for engine in engines(run) if run.is_script else ():
        table = engine.made.given.get("config")
        left = tuple(_left(table)) if isinstance(table, Table) else ()
        if left:
            yield _LEFT, left, engine.wrap.location
    if run.is_launched:
        kinds = ("wrap_model", "delegate", "fit", "prepare", "init_process_group")
        yield tuple(sorted({run.api.framework(event.api) for event in run.events(*kinds)}))


def _left(table: Table, before: str = "") -> Iterator[str]:
    for key, value in table.items:
        name = key.value if isinstance(key, Const) and isinstance(key.value, str) else ""
        if isinstance(value, Table) and (name in _BLOCKS or before in _BLOCKS):
            yield from _left(value, name)
        elif is_constant(value, "auto") and (name in _TOP if not before else before == "params"):
            yield name


def _given_by_code(around: JobsView, config: EngineConfig) -> Iterator[tuple[nodes.Node, Location]]:
    """The values of a file that a script hands on as they are: of no other file are all keys among those left."""
    autos = dict(_autos(config))
    told = ((script, fact) for script, facts in around.told.items() for fact in facts)
    for script, fact in told:
        match fact:
            case (str(word), tuple(keys), Location() as place) if word == _LEFT and autos.keys() >= set(keys):  # pyright: ignore
                files = [each for each in engine_configs(around) if dict(_autos(each)).keys() >= set(keys)]  # pyright: ignore
                meant = around.nearest((each.file.path for each in files), script)
                if meant == frozenset([config.file.path]):
                    yield next(node for name, node in autos.items() if name in keys), place
            case _:
                pass


def survey(around: JobsView) -> Iterable[Finding]:
    """One finding per configuration, at the first such value."""
    for config in engine_configs(around):
        for node, place in list(_given_by_code(around, config))[:1]:
            yield Finding(_MESSAGE, config.place(node), (Evidence("DeepSpeed itself gets it here", place),))
        node = _auto(config)
        launch = next((each for each in config.launches if _is_raw(around, each)), None)
        if node is None or launch is None or not all(_is_raw(around, each) for each in config.launches):
            continue
        evidence = (Evidence("this script passes the file to DeepSpeed directly", launch.location),)
        yield Finding(
            _MESSAGE,
            config.place(node),
            evidence,
        )


def _auto(config: EngineConfig) -> nodes.Node | None:
    return next((node for _, node in _autos(config)), None)


def _autos(config: EngineConfig) -> Iterator[tuple[str, nodes.Node]]:
    """The values that DeepSpeed compares with numbers, and that say `auto`."""
    found: list[tuple[str, nodes.Node | None]] = [(name, config.get(name)) for name in _TOP]
    for block in _BLOCKS:
        found += [(str(member.name), member.value) for member in tree.members(config.get(block, "params"))]
    yield from ((name, node) for name, node in found if node is not None and tree.text(node) == "auto")


def _is_raw(around: JobsView, launch: Launch) -> bool:
    """Whether the script trains with DeepSpeed, and with nothing else that could fill in values."""
    told = [cast("tuple[object, ...]", fact) for fact in around.facts(launch) or ()]
    frameworks = [fact for fact in told if _LEFT not in fact]
    return bool(frameworks) and all(fact in (("deepspeed",), ("deepspeed", "pytorch")) for fact in frameworks)
