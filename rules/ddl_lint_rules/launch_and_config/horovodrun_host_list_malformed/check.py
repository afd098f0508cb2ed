"""Finds host lists that `horovodrun` refuses."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ddl_lint.rulekit import Finding, JobsView, Launch, Option, Word, replacing

_HOST = re.compile(r"[\w.-]+:\d+")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per launch, at the list, and one per line of a host file."""
    for launch in project.launches:
        step = launch.step("horovodrun")
        if step is None or step.given("host_discovery_script") is not None:
            continue
        option = step.role("hosts")
        if option is not None and option.value is not None and option.value.value is not None:
            yield from _list(launch, option, option.value, option.value.value)


def _list(launch: Launch, option: Option, word: Word, written: str) -> Iterable[Finding]:
    more = _following(launch, word)
    if more:
        message = f"runs `{more[0].value}` as a program; hosts must be separated by commas, without blanks"
        place = word.location._replace(end=more[-1].location.end)
        text = ",".join([written, *(each.value or "" for each in more)])
        yield Finding(message, place, fix=replacing("Separate the hosts by commas", place, text))
        return
    for part in written.split(","):
        if part and not _HOST.fullmatch(part.strip()):
            message = f"host `{part}` has no number of slots; horovodrun needs `{part.partition(':')[0]}:N`"
            yield Finding(
                message,
                option.location,
                unfixable="the number of slots of the host is not known",
                help=f"Write `{part.partition(':')[0]}:N`, with its number of slots.",
            )
            return


def _following(launch: Launch, word: Word) -> list[Word]:
    """The words after the list that are hosts, too."""
    words = launch.command.words
    at = next((index for index, each in enumerate(words) if each.location == word.location), len(words))
    found: list[Word] = []
    for each in words[at + 1 :]:
        if not _HOST.fullmatch(each.value or ""):
            break
        found.append(each)
    return found
