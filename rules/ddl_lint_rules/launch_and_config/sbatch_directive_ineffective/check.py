"""Finds `#SBATCH` lines that Slurm does not apply."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Claim, Confidence, Finding, JobsView, JobText, Location, launchers, replacing

_OFF = "the blank may have been written on purpose, to switch the line off"


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per line."""
    for text in project.jobs.texts:
        if text.directives is not None and text.host.kind == "shell":
            yield from _judged(text)


def _judged(text: JobText) -> Iterable[Finding]:
    directives, source = text.directives, text.file.text
    if directives is None or "<<" in source:
        return
    real = [each for each in directives.all if not each.is_late]
    for each in directives.all:
        if each.is_late and not real:
            message = Claim("Slurm only reads `#SBATCH` lines before the first command", "wrong-result")
            yield Finding(
                message,
                each.location,
                unfixable="the lines have to be moved together",
                help="Move the lines right after the first line of the script.",
            )
            return
        if each.is_late:
            option = f"--{each.name.replace('_', '-')}"
            yield Finding(
                f"`{option}` comes after a command, so Slurm ignores it",
                each.location,
                help="Move the line above the first command.",
                consequence="wrong-result",
            )
        elif "$" in each.value:
            message = f"Slurm does not expand `{each.value}` in a directive"
            yield Finding(
                message,
                each.location,
                unfixable="the value of the variable is not known",
                help="Write the value, or pass the option to `sbatch` on the command line.",
            )
    if real and not source.startswith("#!"):
        yield Finding(
            "sbatch refuses a script whose first line is not `#!`",
            real[0].location,
            help="Begin the file with `#!/bin/bash`.",
        )
    known = launchers()["srun"]
    for place in directives.loose if real else ():
        line = source[place.start : place.end]
        name = line.rpartition(" ")[2].lstrip("-")
        is_comment = line.lstrip().startswith("##")
        if known.meaning(name) is None or is_comment:
            continue
        start = place.start + len(line) - len(line.lstrip())
        where = Location(place.path, start, place.start + line.lower().index("sbatch") + len("sbatch"))
        shown = source[where.start : where.end]
        message = Claim(f"`{shown}` is a comment; Slurm only reads `#SBATCH`", "wrong-result")
        following = source[place.end :].partition("\n")[2].lstrip()
        is_off = following.startswith("#") and all(each.location.start < place.start for each in real)
        yield Finding(
            message,
            where,
            confidence=Confidence.MEDIUM,
            doubt="it is among the comments after all others, perhaps on purpose" if is_off else _OFF,
            fix=replacing("Write `#SBATCH`", where, "#SBATCH", "the line may have been commented out on purpose"),
            help="Write `#SBATCH`.",
        )
