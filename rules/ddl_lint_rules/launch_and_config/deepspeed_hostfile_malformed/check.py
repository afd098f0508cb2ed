"""Finds lines of host files that the launcher of DeepSpeed refuses."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ddl_lint.rulekit import Evidence, Finding, Fix, JobFile, JobsView, Location, replacing

_LINE = re.compile(r"^(\S+)\s+slots=(\d+)\s*(?:#.*)?$")
_NEAR = re.compile(r"^([\w.-]+)\s*(?::\s*|\s+slots?\s*=?\s*)(\d+)\s*$")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per line, and one per launch that asks for more nodes than there are."""
    seen: set[str] = set()
    for launch in project.launches:
        step = launch.step("deepspeed")
        named = step.text("hosts_file") if step is not None else None
        if step is None or named is None:
            continue
        file = project.jobs.side_file(named.value, launch.host.path, launch.location.start)
        if file is None:
            continue
        hosts = 0
        reads = Evidence("the launcher reads the file here", named.place)
        for finding, is_host in _lines(file, reads):
            hosts += is_host
            if finding is not None and file.path not in seen:
                yield finding
        seen.add(file.path)
        nodes = step.number("nodes")
        if nodes is not None and nodes.value > hosts > 0:
            message = f"{nodes.value} nodes are requested, but the hostfile has {hosts}"
            yield Finding(
                message,
                nodes.place,
                (Evidence("the hostfile", Location(file.path, 0, 1)),),
                help=f"List {nodes.value} hosts, or start fewer nodes.",
            )


def _lines(file: JobFile, reads: Evidence) -> Iterable[tuple[Finding | None, bool]]:
    """What is wrong with each line, and whether it is a host."""
    known: dict[str, Location] = {}
    offset = 0
    for line in file.text.splitlines(keepends=True):
        text = line.rstrip("\r\n").partition("#")[0]
        place = Location(file.path, offset + len(text) - len(text.lstrip()), offset + len(text.rstrip()))
        offset += len(line)
        stripped = text.strip()
        if not stripped:
            continue
        match = _LINE.match(stripped)
        if match is None:
            fix = _fix(stripped, place)
            message = f"the launcher refuses `{stripped}`; a line must be `HOST slots=N`"
            yield (
                Finding(message, place, (reads,), fix=fix, unfixable="" if fix else "cannot tell what is meant"),
                True,
            )
            continue
        first = known.setdefault(match[1], place)
        if first != place:
            message = f"host `{match[1]}` is listed twice"
            yield (
                Finding(
                    message,
                    place,
                    (Evidence("first listed here", first), reads),
                    help="List each host once, with all of its slots.",
                ),
                False,
            )
        else:
            yield None, True


def _fix(line: str, place: Location) -> Fix | None:
    near = _NEAR.match(line)
    return replacing("Write `HOST slots=N`", place, f"{near[1]} slots={near[2]}") if near is not None else None
