"""Finds options that a script refuses, because its parser does not declare them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ddl_lint.rulekit import (
    Const,
    Evidence,
    Finding,
    Flag,
    Items,
    JobsView,
    Launch,
    Location,
    RunView,
    Word,
    branches,
    catches,
    misspelt,
    replacing,
    summed_up,
)

_OF_LIBRARIES = ("--help", "--local_rank", "--local-rank", "--deepspeed", "--deepscale")
"""How options begin that every parser has, that another rule is about, or that engines add to a parser."""


@dataclass(frozen=True)
class _Parser:
    """The one parser of a script, which refuses what it does not know."""

    location: Location
    """Where it reads the command line."""

    options: tuple[str, ...]


def publish(run: RunView) -> Iterable[_Parser]:
    """The parser of a script that is launched; none where the script looks into the command line itself as well."""
    parsing = list(run.events("parse_options")) if run.is_launched else []
    module = run.module_at(run.run.path)
    if len(parsing) != 1 or module is None or "argv" in module.words:
        return
    options, context = parsing[0].operands["options"], parsing[0].context
    certain = all(
        node.assumed or (isinstance(node.value, Flag) and node.value.name == "main") for node in branches(context)
    )
    if not certain or not isinstance(options, Items) or options.open or catches(context, "SystemExit"):
        return
    known = (option.value if isinstance(option, Const) else None for option in options.items)
    named = tuple(name for name in known if isinstance(name, str) and name.startswith("-"))
    if len(named) == len(options.items):  # what stands at its place may be all the rest
        yield _Parser(parsing[0].location, named)


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per option, where it is written; of many in one command, one for all."""
    for launch in project.launches:
        for parser in project.facts(launch) or ():
            if isinstance(parser, _Parser):
                yield from summed_up(_refused(launch, parser), "options")


def _refused(launch: Launch, parser: _Parser) -> Iterator[Finding]:
    script = posixpath.basename(launch.script or "")
    launcher = launch.launcher.launcher if launch.launcher is not None else None
    of_launcher = launcher.sizes if launcher is not None else ()
    for word in launch.arguments:
        option = word.head.partition("=")[0]
        if option == "--":
            return
        is_whole = "=" in word.head or word.value is not None
        if option[2:].replace("-", "_") in of_launcher:  # it is to be given to that, as another rule says
            continue
        if not is_whole or not _is_refused(option, parser.options):
            continue
        meant = misspelt(option[2:], [each[2:] for each in parser.options if each.startswith("--")])
        hint = f"; did you mean `--{meant}`?" if meant else ""
        yield Finding(
            f"`{script}` has no option `{option}`{hint}",
            word.location,
            (Evidence("it reads the command line here", parser.location),),
            fix=replacing(f"Write `--{meant}`", _key(word, option), f"--{meant}") if meant else None,
            unfixable="" if meant else "cannot tell what is meant",
            help=f"Write `--{meant}`." if meant else f"Use an option that `python {script} --help` lists.",
        )


def _is_refused(option: str, known: tuple[str, ...]) -> bool:
    """Whether a word is an option that none of some begins with: a parser takes a beginning for the whole. A switch may
    have a second spelling that negates it.
    """
    name = option[2:]
    if not option.startswith("--") or not name.replace("-", "").replace("_", "").isalnum():
        return False
    off = f"--{name[3:]}" if name.startswith(("no-", "no_")) else option
    return not any(each.startswith((option, off)) for each in known) and not option.startswith(_OF_LIBRARIES)


def _key(word: Word, option: str) -> Location:
    return word.location._replace(end=word.location.start + len(option))
