"""Finds `auto` in configurations that DeepSpeed reads itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

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
from ddl_lint.rulekit.events import Delegate, Fit, InitProcessGroup, Prepare, WrapModel

_TOP = ("train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps", "gradient_clipping")
_BLOCKS = ("optimizer", "scheduler")
_MESSAGE = 'only Hugging Face trainers replace "auto"; DeepSpeed itself reads it as a string'


class _Left(NamedTuple):
    """The keys at which `auto` is left where a script makes an engine."""

    keys: tuple[str, ...]
    place: Location
    written: Location | None
    """Where a program writes the first of them itself; None where it comes from a file."""


class _Frameworks(NamedTuple):
    """The frameworks that train in a script."""

    names: tuple[str, ...]


def publish(run: RunView) -> Iterable[_Left | _Frameworks]:
    """The frameworks that train in a script, and the keys that still say `auto` where it makes an engine itself."""
    for engine in engines(run) if run.is_script else ():
        table = engine.wrap.settings
        left = dict(_left_in(table)) if isinstance(table, Table) else {}
        if left:
            first = next(iter(left.values()))
            is_own = first is not None and run.module_at(first.path) is not None
            yield _Left(tuple(left), engine.wrap.location, first if is_own else None)
    if run.is_launched:
        kinds = (WrapModel, Delegate, Fit, Prepare, InitProcessGroup)
        yield _Frameworks(tuple(sorted({run.api.framework(event.api) for event in run.events(*kinds)})))


def _left_in(table: Table, before: str = "") -> Iterator[tuple[str, Location | None]]:
    for key, value in table.items:
        name = key.value if isinstance(key, Const) and isinstance(key.value, str) else ""
        if isinstance(value, Table) and (name in _BLOCKS or before in _BLOCKS):
            yield from _left_in(value, name)
        elif is_constant(value, "auto") and (name in _TOP if not before else before == "params"):
            yield name, value.location if isinstance(value, Const) else None


def _given_by_code(project: JobsView, config: EngineConfig) -> Iterator[tuple[nodes.Node, Location]]:
    """The values of a file that a script hands on as they are: of no other file are all keys among those left."""
    autos = dict(_autos(config))
    told = ((script, fact) for script, facts in project.told.items() for fact in facts)
    for script, fact in told:
        if isinstance(fact, _Left) and fact.written is None and autos.keys() >= set(fact.keys):
            files = [each for each in engine_configs(project) if dict(_autos(each)).keys() >= set(fact.keys)]
            meant = project.nearest((each.file.path for each in files), script)
            if meant == frozenset([config.file.path]):
                yield next(node for name, node in autos.items() if name in fact.keys), fact.place


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per configuration, at the first such value."""
    written = [fact for told in project.told.values() for fact in told if isinstance(fact, _Left)]
    for place, fact in {fact.written: fact for fact in written if fact.written is not None}.items():
        yield Finding(_MESSAGE, place, (Evidence("DeepSpeed itself gets it here", fact.place),))
    for config in engine_configs(project):
        for node, place in list(_given_by_code(project, config))[:1]:
            yield Finding(_MESSAGE, config.place(node), (Evidence("DeepSpeed itself gets it here", place),))
        node = _auto(config)
        launch = next((each for each in config.launches if _is_raw(project, each)), None)
        if node is None or launch is None or not all(_is_raw(project, each) for each in config.launches):
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


def _is_raw(project: JobsView, launch: Launch) -> bool:
    """Whether the script trains with DeepSpeed, and with nothing else that could fill in values."""
    known = project.published(launch, _Frameworks)
    return bool(known) and all(each.names in (("deepspeed",), ("deepspeed", "pytorch")) for each in known)
