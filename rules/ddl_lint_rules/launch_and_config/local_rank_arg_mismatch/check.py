"""Finds scripts that refuse the option in which `torch.distributed.launch` passes the local rank."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ddl_lint.rulekit import (
    Const,
    Evidence,
    Finding,
    Flag,
    Items,
    JobsView,
    Location,
    RunView,
    Severity,
    branches,
    catches,
)
from ddl_lint.rulekit.events import ParseOptions

_OLD, _NEW = "--local_rank", "--local-rank"
_RENAMED = "2.0"
"""The version of PyTorch from which on the new spelling is passed."""


class _Parser(NamedTuple):
    """Where a strict parser reads the command line, and which of the two spellings it knows."""

    place: Location
    known: tuple[str, ...]


def publish(run: RunView) -> Iterable[_Parser]:
    """The strict parsers of a script."""
    for event in run.events(ParseOptions) if run.is_launched else ():
        options = event.options
        certain = all(
            node.assumed or (isinstance(node.value, Flag) and node.value.name == "main")
            for node in branches(event.context)
        )
        if certain and isinstance(options, Items) and not options.open and not catches(event.context, "SystemExit"):
            known = tuple(name for name in (_OLD, _NEW) if Const(name) in options.items)
            yield _Parser(event.location, known)


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per launch, at the launcher."""
    for launch in project.launches:
        step = launch.step("torch.distributed.launch")
        parsers = project.published(launch, _Parser)
        if step is None or not parsers or step.given("use_env") is not None or step.is_open:
            continue
        versions = project.versions_of(launch.host.path)
        is_new, is_old = versions.surely_from("torch", _RENAMED), versions.surely_before("torch", _RENAMED)
        for location, known in parsers:
            if len(known) == 2 or (is_new and _NEW in known) or (is_old and _OLD in known):
                continue
            if known == (_NEW,) and not is_old:
                continue
            passed = _OLD if is_old else _NEW
            other = f", only `{_OLD}`" if known == (_OLD,) else ""
            when = "" if is_new or is_old or not known else f" since PyTorch {_RENAMED}"
            doubt = versions.documented_before("torch", _RENAMED) if when else ""
            yield Finding(
                f"this launcher passes `{passed}`{when}, which the script does not know{other}",
                step.word.location,
                (Evidence("the script parses its command line here", location),),
                severity=Severity.INFO if doubt else Severity.WARNING if when else None,
                doubt=doubt,
            )
            break
