"""Finds batches of GRPO that do not hold whole groups of generations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ddl_lint.rulekit import (
    Claim,
    Const,
    Evidence,
    Finding,
    JobFile,
    JobsView,
    Launch,
    Location,
    RunView,
    Value,
    alternatives,
    facts,
    number_of,
    number_under_launch,
    objects,
    script_options,
    sizes_of,
    tree,
)
from ddl_lint.rulekit.events import Delegate

_BATCH, _STEPS, _GROUP = "per_device_train_batch_size", "gradient_accumulation_steps", "num_generations"
_NAMES = (_BATCH, _STEPS, _GROUP)


class _Settings(NamedTuple):
    """The numbers that are given, each None where it is not known, and where the group's is."""

    numbers: Mapping[str, int | None]
    place: Location


def publish(run: RunView) -> Iterable[object]:
    """The settings that a script makes, and whether it trains by them."""
    known = facts("trl")
    for event in run.events(Delegate) if run.is_script else ():
        if event.api in known["group_trainers"]:
            yield event.api
        for made in objects(event.result):
            given = made.given
            if made.api in known["group_settings"] and given and not given.keys() & {*known["other_batch"], "options"}:
                numbers = {name: number_under_launch(run, given[name]) for name in _NAMES if name in given}
                yield _Settings(numbers, _in_file(run, given.get(_GROUP)) or event.location)


def _in_file(run: RunView, value: Value | None) -> Location | None:
    """Where a number is written, if that is in a file that the code reads."""
    written = [option.location for option in alternatives(value) if isinstance(option, Const)] if value else []
    return next((place for place in written if place is not None and place.path not in run.modules), None)


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per settings: the first launch that they do not fit."""
    for script, told in project.told.items():
        own = [fact for fact in told if isinstance(fact, _Settings)]
        trains = any(isinstance(fact, str) for fact in told)
        version = project.versions_of(script)
        counts = not version.surely_before("trl", facts("trl")["accumulation_counts_since"])
        seen: set[Location] = set()
        for launch in project.jobs.launches_of(script) if trains else ():
            for settings in own or _given(project, launch):
                finding = _judged(project, launch, settings, counts=counts)
                if finding is not None and finding.location not in seen:
                    seen.add(finding.location)
                    yield finding


def _given(project: JobsView, launch: Launch) -> Iterator[_Settings]:
    """What a launch gives a script that parses its settings: a file, and options, which go before it."""
    options = script_options(launch)
    named = options.get("config")
    written = named.value if named is not None else None
    found = project.jobs.side_file(written, launch.host.path, launch.location.start) if written is not None else None
    file = JobFile(found.path, "yaml", found.text) if found is not None else None
    root = file.roots[0] if file is not None and len(file.roots) == 1 else None
    numbers: dict[str, int | None] = {}
    place: Location | None = None
    for name in _NAMES:
        member, word = tree.member(root, name), options.get(name)
        if member is not None and file is not None:
            numbers[name] = tree.number(member.value)
            place = file.place(member) if name == _GROUP else place
        if name in options:
            numbers[name] = number_of(word)
            place = word.location if name == _GROUP and word is not None else place
    others = facts("trl")["other_batch"]
    if place is None or (named is not None and root is None) or any(tree.member(root, name) for name in others):
        return
    if not any(name in options for name in others):
        yield _Settings(numbers, place)


def _judged(project: JobsView, launch: Launch, settings: _Settings, *, counts: bool) -> Finding | None:
    batch, steps, group = (settings.numbers.get(name, facts("trl")["defaults"][name]) for name in _NAMES)
    if group is not None and group < 2:
        message = "GRPO compares the generations of a prompt, but there is only one"
        return Finding(message, settings.place, help="Set `num_generations` to 2 or more.")
    size = sizes_of(launch, project.jobs).world_size.value
    if batch is None or steps is None or group is None or size is None:
        return None
    whole = size * batch * (steps if counts else 1)
    if whole % group == 0:
        return None
    product = f"{size} processes with {batch} each" + (f" and {steps} steps" if counts and steps != 1 else "")
    return Finding(
        Claim(f"{product} make {whole} completions, no multiple of the {group} generations per prompt", "crash"),
        settings.place,
        (Evidence(f"{size} processes", launch.location),),
        help=f"Let the product be a multiple of {group}, or `num_generations` a divisor of {whole}.",
    )
