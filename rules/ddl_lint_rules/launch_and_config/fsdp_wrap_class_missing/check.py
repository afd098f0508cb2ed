"""Finds settings of FSDP that name the layers of another model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ddl_lint.rulekit import (
    NONE,
    Const,
    Evidence,
    Finding,
    Items,
    JobsView,
    Launch,
    Location,
    Object,
    RunView,
    Setting,
    Table,
    Value,
    accelerate_config,
    by_default,
    facts,
    objects,
    replacing,
    script_options,
    tree,
)
from ddl_lint.rulekit.events import Delegate, LoadPretrained

_CLASS = "transformer_layer_cls_to_wrap"
_OPTION = f"fsdp_{_CLASS}"


class _Model(NamedTuple):
    """A model with published weights; the name is empty where it is not known."""

    name: str
    place: Location


class _Asked(NamedTuple):
    """The classes that are to be wrapped, as they are written, and where."""

    written: str
    place: Location
    is_plain: bool
    """Whether the place holds nothing else."""


def publish(run: RunView) -> Iterable[_Model | _Asked]:
    """The models that a script loads, and the classes that it names itself in the arguments of its trainer."""
    if not run.is_script:
        return
    for event in run.events(LoadPretrained):
        for made in objects(event.result):
            yield _Model(_name(run, made.given.get("pretrained_model_name_or_path")), event.location)
    for event in run.events(Delegate):
        for made in objects(event.result):
            given = _keywords(made)
            if given.get("fsdp", NONE) in (NONE, Const("")):
                continue
            settings = _texts(given.get("fsdp_config", NONE))
            classes = settings.get(_CLASS) or settings.get(_OPTION) or _words(given.get(_OPTION, NONE))
            if classes:
                yield _Asked(",".join(classes), event.location, is_plain=False)


def _keywords(made: Object) -> dict[str, Value]:
    """What an object was made with, by name."""
    found = dict(made.given)
    for value in made.given.values():
        if isinstance(value, Table):
            found.update((str(key.value), item) for key, item in value.items if isinstance(key, Const))
    return found


def _texts(value: Value) -> dict[str, list[str]]:
    """The entries of a dict that are texts, or lists of them."""
    items = value.items if isinstance(value, Table) else ()
    return {str(key.value): _words(item) for key, item in items if isinstance(key, Const)}


def _words(value: Value) -> list[str]:
    parts = value.items if isinstance(value, Items) else (value,)
    return [part.value for part in parts if isinstance(part, Const) and isinstance(part.value, str)]


def _name(run: RunView, value: Value | None) -> str:
    if isinstance(value, Setting):
        told = run.launch.arguments.get(run.run.path, {}).get(value.name)
        value = Const(told) if told is not None else by_default(run, value)
    return value.value if isinstance(value, Const) and isinstance(value.value, str) else ""


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per place where a class is named."""
    seen: set[Location] = set()
    for launch in project.launches:
        models = [fact for fact in project.facts(launch) or () if isinstance(fact, _Model)]
        layers = [_layers(model.name) for model in models]
        if not models or not all(layers):
            continue
        known = {name for each in layers for name in each}
        in_program = [fact for fact in project.facts(launch) or () if isinstance(fact, _Asked)]
        for asked in (*in_program, *_asked(project, launch)):
            wrong = [name for name in re.split(r"[,\s]+", asked.written) if name and name not in known]
            if wrong and asked.place not in seen and {name.lower() for name in wrong} <= _all_layers():
                seen.add(asked.place)
                yield _finding(asked, wrong[0], models[0], layers[0])


def _layers(model: str) -> list[str]:
    patterns: dict[str, list[str]] = facts("transformers")["layers"]
    return next((names for pattern, names in patterns.items() if re.fullmatch(pattern, model)), list[str]())


def _all_layers() -> set[str]:
    """The layers of all models, in small letters: another spelling is no class, either."""
    return {name.lower() for names in facts("transformers")["layers"].values() for name in names}


def _asked(project: JobsView, launch: Launch) -> Iterator[_Asked]:
    """What the launcher's settings and options, and those of a trainer, name."""
    file = accelerate_config(project, launch)
    root = file.roots[0] if file is not None and len(file.roots) == 1 else None
    member = tree.member(root, "fsdp_config", _OPTION)
    text = tree.text(member.value) if member is not None else None
    if file is not None and member is not None and text and tree.text(tree.value(root, "distributed_type")) == "FSDP":
        yield _Asked(text, file.place(member.value), is_plain=True)
    step = launch.step("accelerate")
    option = step.given(_OPTION) if step is not None else None
    words = [option.value if option is not None else None]
    options = script_options(launch)
    words += [options.get(_OPTION)] if "fsdp" in options else []
    yield from (_Asked(word.value, word.location, is_plain=False) for word in words if word and word.value)


def _finding(asked: _Asked, wrong: str, model: _Model, layers: list[str]) -> Finding:
    one = layers[0] if asked.written == wrong and len(layers) == 1 else ""
    fix = replacing(f"Wrap `{one}`", asked.place, one) if one and asked.is_plain else None
    return Finding(
        f"FSDP is to wrap `{wrong}`, which `{model.name}` does not have",
        asked.place,
        (Evidence("the model is loaded here", model.place),),
        fix=fix,
        unfixable="" if fix else "the name is a part of a command",
        help=f"Name {' or '.join(f'`{each}`' for each in layers)}.",
    )
