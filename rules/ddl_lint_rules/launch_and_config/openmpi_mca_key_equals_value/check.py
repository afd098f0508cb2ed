"""Finds `-mca key=value`."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Finding, JobsView, replacing

_OPTIONS = ("mca", "gmca", "pmca", "prtemca")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per option, where it is written."""
    for launch in project.launches:
        step = launch.step("mpirun")
        for option in step.options if step is not None else ():
            head = option.value.head if option.name in _OPTIONS and option.value is not None else ""
            key, equals, _ = head.partition("=")
            if not equals or not key.replace("_", "").isalnum() or option.value is None:
                continue
            lost = option.extra.source if option.extra is not None else ""
            tail = f" and takes `{lost}` as its value" if lost else ""
            place = option.value.location._replace(start=option.value.location.start + len(key))
            place = place._replace(end=place.start + 1)
            yield Finding(
                f"`{option.spelling} {key}=...` sets nothing{tail}",
                option.key,
                fix=replacing("Write a blank between key and value", place, " "),
                help=f"Write `{option.spelling} {key} ...`, with a blank instead of `=`.",
            )
