"""Finds interface lists of Open MPI that contradict each other or leave loopback in."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Evidence, Finding, JobsView, Option, Severity, Step, hosts_of, inserting

_LOOPBACK = ("lo", "127.0.0.0/8", "127.0.0.1/8", "127.0.0.1/24", "127.0.0.1/32")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per launch, at the list that is excluded."""
    for launch in project.launches:
        step = launch.step("mpirun")
        if step is None:
            continue
        for layer in ("btl_tcp", "oob_tcp"):
            included, excluded = _parameter(step, f"{layer}_if_include"), _parameter(step, f"{layer}_if_exclude")
            if excluded is None or excluded.extra is None:
                continue
            if included is not None:
                yield Finding(
                    f"`{layer}_if_include` and `{layer}_if_exclude` are mutually exclusive",
                    excluded.key,
                    (Evidence("interfaces are included here", included.key),),
                    unfixable="cannot tell which of the two is meant",
                    help="Keep one of the two.",
                    consequence="crash",
                )
                continue
            names = excluded.extra.value
            hosts = hosts_of(launch) or {}
            if names is None or len(hosts) < 2 or any(each in _LOOPBACK for each in names.split(",")):
                continue
            place = excluded.extra.location
            yield Finding(
                f"`{layer}_if_exclude` without `lo` replaces the default that keeps loopback out",
                excluded.key,
                severity=Severity.WARNING,
                fix=inserting("Add lo to the excluded interfaces", place.path, place.start, "lo,"),
                help=f"Exclude `lo` as well: `lo,{names}`.",
            )


def _parameter(step: Step, name: str) -> Option | None:
    found = (option for option in step.options if option.name == "mca" and option.value is not None)
    return next((option for option in found if option.value is not None and option.value.value == name), None)
