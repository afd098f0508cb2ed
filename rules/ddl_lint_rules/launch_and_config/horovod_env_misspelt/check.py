"""Finds misspelt variables of Horovod, and build variables that `sudo` drops."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Command, Finding, JobsView, Severity, Variable, facts, misspelt, replacing

_DECISIVE = ("HOROVOD_WITH_", "HOROVOD_WITHOUT_", "HOROVOD_GPU_", "HOROVOD_NCCL_", "HOROVOD_GLOO_IFACE")
"""What a build or a job depends on: the frameworks, the path of GPU tensors, the network."""

_DEFAULT = "Horovod takes its default instead, with which it works"
_OFF = frozenset({"0", "false", "no", "off"})


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per variable, where it is set."""
    known = facts("environment")
    names, aliases, values = frozenset(known["horovod"]), known["horovod_aliases"], known["closed_values"]
    for variable in project.jobs.variables:
        if variable.name.startswith("HOROVOD_"):
            yield from _judged(variable, names, aliases, values)
    for text in project.jobs.texts:
        for command in text.shell.commands:
            yield from _lost(command)


def _judged(
    variable: Variable, names: frozenset[str], aliases: dict[str, str], values: dict[str, list[str]]
) -> Iterable[Finding]:
    name = variable.name
    if name not in names:
        meant = aliases.get(name) or misspelt(name, _alike(name, names))
        if meant:
            text = variable.file.text[variable.location.start : variable.location.end]
            at = text.find(name)
            place, fix = variable.location, None
            if at >= 0:
                start = variable.location.start + at
                place = variable.location._replace(start=start, end=start + len(name))
                fix = replacing(f"Write `{meant}`", place, meant)
            yield Finding(
                f"Horovod ignores `{name}`; did you mean `{meant}`?",
                variable.location,
                fix=fix,
                help=f"Write `{meant}`.",
                consequence="wrong-result",
                severity=None if meant.startswith(_DECISIVE) else Severity.INFO,
                doubt="" if meant.startswith(_DECISIVE) else _DEFAULT,
            )
        return
    written = variable.value.value
    allowed = values.get(name)
    if written is None or not written:
        return
    if allowed is not None and written.upper() not in allowed:
        shown = " or ".join(allowed)
        yield Finding(
            f"`{name}` must be {shown}, not `{written}`",
            variable.location,
            unfixable=("cannot tell which is meant"),
            help=f"Use {shown}.",
        )
    elif name.startswith("HOROVOD_WITH") and written != "1":
        yield Finding(
            f"`{name}={written}` has no effect; only `1` has",
            variable.location,
            help=f"Write `{name}=1`.",
            consequence="wrong-result",
            severity=Severity.INFO if written.lower() in _OFF else None,
            doubt="Horovod builds what it finds without it, too" if written.lower() in _OFF else "",
        )


def _alike(name: str, names: frozenset[str]) -> Iterable[str]:
    """The known names that may be meant: a word that others have, such as `CPU` for `GPU`, is not misspelt."""
    vocabulary = {word for each in names for word in each.split("_")}
    words = name.split("_")
    for known in names:
        theirs = known.split("_")
        others = {word for word, meant in zip(words, theirs, strict=False) if word != meant}
        if len(words) != len(theirs) or others.isdisjoint(vocabulary):
            yield known


def _lost(command: Command) -> Iterable[Finding]:
    """`HOROVOD_X=1 sudo pip install horovod`: sudo starts with another environment."""
    build = [name for name in command.prefix if name.startswith("HOROVOD_")]
    values = [word.value for word in command.words]
    if not build or command.name != "sudo" or "-E" in values or "--preserve-env" in values:
        return
    if any("horovod" in (value or "") for value in values):
        yield Finding(
            f"`sudo` drops `{build[0]}`, so the build ignores it",
            command.prefix[build[0]].location,
            unfixable="sudo may be configured to keep variables",
            help=f"Set it after `sudo`: `sudo {build[0]}=... pip install ...`.",
            consequence="wrong-result",
        )
