"""Finds variables of Slurm that a launch needs, and that the batch script does not ask for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Command,
    Evidence,
    Finding,
    JobsView,
    JobText,
    Launch,
    Location,
    directives_of,
    facts,
)

_PLAIN = re.compile(r"\$\{?(\w+)\}?")
_NAME = re.compile(r"\b[A-Z]\w*")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per batch script and variable, where a launch needs it first."""
    for text in project.jobs.texts:
        reported: set[str] = set()
        for launch in project.launches if text.directives is not None else ():
            if project.jobs.text_of(launch) is not text or directives_of(project, launch) is None:
                continue
            for name, place in _needed(launch):
                if name not in reported and _is_unset(project, text, launch, name):
                    reported.add(name)
                    yield _finding(text, name, place)


def _needed(launch: Launch) -> Iterator[tuple[str, Location]]:
    """The variables of Slurm that a launch takes numbers from, each with its place."""
    given = (option.value for step in launch.all_steps for option in step.options)
    environment = (launch.command.environment(name) for name in facts("slurm")["needed"])
    for word in (*given, *launch.arguments, *environment):
        for part in word.parts if word is not None else ():
            plain = _PLAIN.fullmatch(part.source)
            computed = _NAME.findall(part.source) if part.source.startswith("$((") else ()
            for name in (plain[1],) if plain else computed:
                if part.text is None and name in facts("slurm")["set_by"]:
                    yield name, part.location


def _is_unset(project: JobsView, text: JobText, launch: Launch, name: str) -> bool:
    options: list[str] = facts("slurm")["set_by"][name]
    directives = text.directives
    step = launch.step("srun") if launch.command.per_task is not None else None
    if directives is None or any(each.name in options or each.name.startswith("tres") for each in directives.all):
        return False
    if step is not None and any(step.given(option) is not None for option in options):
        return False  # it tells the shells that it starts
    if any(each.name == name for each in text.shell.assignments):
        return False
    asked = rf"-[nv]\s+[\"']?\$?\{{?{name}\b|\$\{{{name}[^}}\w]"
    if re.search(asked, text.file.text) or (launch.command.arms and re.search(rf"-z\s+\S*{name}\b", text.file.text)):
        return False
    return not any(_submits_with(command, options) for command in _commands(project))


def _commands(project: JobsView) -> Iterator[Command]:
    jobs = (project.whole or project).jobs
    for text in jobs.texts:
        yield from text.shell.commands
    for _, commands in jobs.shown:
        yield from commands


def _submits_with(command: Command, options: Iterable[str]) -> bool:
    """Whether a command hands a script to Slurm with one of some options, or with options that are not known."""
    if command.name not in ("sbatch", "salloc"):
        return False
    short = {"gpus": "-G", "cpus_per_task": "-c"}
    spelled = {spelling for option in options for spelling in (f"--{option.replace('_', '-')}", short.get(option, ""))}
    heads = (word.head.partition("=")[0] for word in command.words[1:])
    return any(head in spelled or head[:2] in spelled for head in heads if head) or any(
        word.may_split for word in command.words[1:2]
    )


def _finding(text: JobText, name: str, place: Location) -> Finding:
    known = facts("slurm")
    option = known["set_by"][name][0].replace("_", "-")
    other = known["instead"].get(name)
    gpus = text.directives.effective.get("gres") if text.directives is not None and other else None
    evidence = (Evidence("the GPUs are requested here", gpus.location),) if gpus is not None else ()
    return Finding(
        f"Slurm does not set `{name}`, because `--{option}` is not given",
        place,
        evidence,
        help=f"Add `#SBATCH --{option}=...`" + (f", or read `{other}`." if other else "."),
    )
