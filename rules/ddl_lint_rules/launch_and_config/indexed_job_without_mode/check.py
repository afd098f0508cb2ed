"""Finds Jobs of Kubernetes whose pods read an index that they do not get."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Container,
    Evidence,
    Finding,
    Fix,
    JobsView,
    Location,
    Workload,
    facts,
    inserting,
    replacing,
    tree,
)

_MODE = "completionMode"


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per Job, where its pods read the index first."""
    for workload in project.jobs.workloads:
        mode = tree.member(workload.root, "spec", _MODE)
        if workload.kind != "Job" or not workload.version.startswith("batch/"):
            continue
        if mode is not None and tree.text(mode.value) != "NonIndexed":
            continue
        read = next((place for each in workload.containers for place in _read(each)), None)
        if read is not None:
            spec = tree.member(workload.root, "spec")
            evidence = (Evidence("the Job", workload.file.place(spec.key)),) if spec is not None else ()
            fix = _fix(workload)
            yield Finding(
                "the pods read their index, but only an indexed Job gives them one",
                read,
                evidence,
                fix=fix,
                unfixable="" if fix else "the number of completions is not known",
            )


def _read(container: Container) -> Iterator[Location]:
    """Where a container reads the index of its pod."""
    known = facts("environment")["job_index"]
    variable, field = known["variable"], known["field"]
    for item in tree.items(tree.value(container.node, "env")):
        node = tree.value(item, "valueFrom", "fieldRef", "fieldPath")
        if node is not None and field in (tree.text(node) or ""):
            yield container.file.place(node)
    if variable in container.environment:
        return
    reads = re.compile(rf"\$(?:{variable}\b|\{{{variable}\}}|\({variable}\))")
    yield from (word.location for word in container.command if reads.search(word.source))


def _fix(workload: Workload) -> Fix | None:
    """The mode, which needs a number of completions, above the first key of the Job."""
    mode = tree.member(workload.root, "spec", _MODE)
    first = next(iter(tree.members(tree.value(workload.root, "spec"))), None)
    if first is None or tree.member(workload.root, "spec", "completions") is None:
        return None
    if mode is not None:
        return replacing("Make the Job an indexed one", workload.file.place(mode.value), "Indexed")
    place = workload.file.place(first.key)
    indent = workload.file.text[: place.start].rpartition("\n")[2]
    if indent.strip():
        return None
    return inserting("Make the Job an indexed one", place.path, place.start, f"{_MODE}: Indexed\n{indent}")
