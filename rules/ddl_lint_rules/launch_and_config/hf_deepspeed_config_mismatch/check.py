"""Finds options of a trainer that contradict its configuration of DeepSpeed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple, cast

from ddl_lint.rulekit import (
    Claim,
    Const,
    EngineConfig,
    Evidence,
    Finding,
    JobsView,
    Location,
    RunView,
    Severity,
    engine_configs,
    facts,
    literal,
    objects,
    replacing,
    script_options,
    tree,
)
from ddl_lint.rulekit.events import Delegate, Fit

_PAIRS = (
    ("per_device_train_batch_size", ("train_micro_batch_size_per_gpu",)),
    ("gradient_accumulation_steps", ("gradient_accumulation_steps",)),
    ("max_grad_norm", ("gradient_clipping",)),
    ("learning_rate", ("optimizer", "params", "lr")),
    ("weight_decay", ("optimizer", "params", "weight_decay")),
    ("adam_epsilon", ("optimizer", "params", "eps")),
    ("learning_rate", ("scheduler", "params", "warmup_max_lr")),
    ("warmup_steps", ("scheduler", "params", "warmup_num_steps")),
)
_NAMES = ("lr_scheduler_type", *dict(_PAIRS))


class _Arguments(NamedTuple):
    """The trainer's arguments that a script writes down."""

    config: str
    """The path of the configuration."""

    given: tuple[tuple[str, str, Location], ...]


def publish(run: RunView) -> Iterable[object]:
    """The frameworks that train in a script, and the arguments for a trainer that it makes."""
    if run.is_launched:
        yield frozenset(run.api.framework(event.api) for event in run.events(Delegate, Fit))
    for event in run.events(Delegate) if run.is_script else ():
        for made in objects(event.result):
            config = made.given.get("deepspeed")
            if isinstance(config, Const) and isinstance(config.value, str):
                written = ((name, made.given.get(name)) for name in _NAMES)
                given = ((name, str(each.value), event.location) for name, each in written if isinstance(each, Const))
                yield _Arguments(config.value, tuple(given))


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per value of the configuration."""
    configs = engine_configs(project)
    paths = {config.file.path for config in configs}
    for config in configs:
        seen: set[Location] = set()
        for each in _given(project, config, paths):
            for finding in _judged(config, each):
                if finding.location not in seen:
                    seen.add(finding.location)
                    yield finding


class _Given(NamedTuple):
    """What a trainer is given beside the configuration."""

    values: Mapping[str, tuple[str, Location]]
    is_option: bool


def _given(project: JobsView, config: EngineConfig, paths: Collection[str]) -> Iterable[_Given]:
    """By each launch, and by each script; a file beside the script goes before one of the same name elsewhere."""
    for launch in config.launches:
        told = project.facts(launch)
        frameworks = [cast("frozenset[str]", fact) for fact in told or () if isinstance(fact, frozenset)]
        if frameworks and all("transformers" in each for each in frameworks):
            options = script_options(launch)
            known = {name: (word.value, word.location) for name, word in options.items() if word and word.value}
            yield _Given(known if "deepspeed" in options else {}, is_option=True)
    for script, told in project.told.items():
        for fact in told if project.speaks_of(config.file.path, script) else ():
            if not isinstance(fact, _Arguments):
                continue
            written = fact.config.removeprefix("./")
            beside = f"{script.rpartition('/')[0]}/{written}"
            if config.file.path == beside or (beside not in paths and config.file.path.endswith(f"/{written}")):
                yield _Given({name: (value, place) for name, value, place in fact.given}, is_option=False)


def _judged(config: EngineConfig, told: _Given) -> Iterable[Finding]:
    for name, way in _PAIRS:
        value, where = told.values.get(name, ("", None))
        node = config.get(*way)
        given, written = _number(value), literal(node)
        if where is None or node is None or given is None or written is None or abs(given - written) < 1e-12:
            continue
        key = ".".join(way)
        message = f"`{key}` is {written:g}, but {_said(told, name, value)}"
        fix = replacing('Write "auto"', config.place(node), '"auto"')
        yield Finding(message, config.place(node), (Evidence(_what(told), where),), fix=fix)
    yield from _schedule(config, told)


def _schedule(config: EngineConfig, told: _Given) -> Iterable[Finding]:
    """A schedule of the configuration, which is used instead of the one that the trainer is asked for."""
    node = config.get("scheduler", "type")
    name, (asked, where) = tree.text(node), told.values.get("lr_scheduler_type", ("", None))
    known = facts("deepspeed")["same_in_transformers"]
    if node is None or name not in known or where is None or asked in known[name]:
        return
    if asked not in {each for names in known.values() for each in names}:
        help = "Remove `scheduler` from the configuration, so that the trainer makes the schedule."
    else:
        same = next(each for each, names in known.items() if asked in names)
        help = f"Remove `scheduler` from the configuration, or use `{same}` there."
    yield Finding(
        Claim(f"the schedule is `{name}`, although {_said(told, 'lr_scheduler_type', asked)}", "wrong-result"),
        config.place(node),
        (Evidence(_what(told), where),),
        severity=Severity.WARNING,
        unfixable="cannot tell which of the two is meant",
        help=help,
    )


def _said(told: _Given, name: str, value: str) -> str:
    return f"the launch line says `--{name} {value}`" if told.is_option else f"the script says `{name}={value}`"


def _what(told: _Given) -> str:
    return "the option" if told.is_option else "the arguments"


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text is not None else None
    except ValueError:
        return None
