"""Finds faults in `TF_CONFIG`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, cast

from ddl_lint.rulekit import Evidence, Finding, JobsView, Location, Variable

_NAME = "TF_CONFIG"
_BESIDE_THE_CLUSTER = ("evaluator",)


def survey(around: JobsView) -> Iterable[Finding]:
    """One finding per variable, where it is set; the second of two that are the same task."""
    tasks: dict[tuple[str, str, int], Location] = {}
    clusters: dict[str, tuple[object, Location]] = {}
    for variable in around.jobs.variables:
        written = variable.value.value
        if variable.name != _NAME or written is None or not written.strip():
            continue
        try:
            data: object = json.loads(written)
        except ValueError:
            quoted = "'" in written and '"' not in written
            hint = "; JSON needs double quotes" if quoted else ""
            yield Finding(
                f"Crash: `TF_CONFIG` is not JSON{hint}",
                variable.location,
                help="Write JSON, with double quotes around keys and strings.",
            )
            continue
        fault = _fault(data)
        if fault is not None:
            message, advice = fault
            yield Finding(message, variable.location, help=advice)
            continue
        if variable.text is None and isinstance(data, dict):  # each container has a task of its own
            yield from _beside_others(cast("dict[str, Any]", data), variable, tasks, clusters)


def _fault(data: object) -> tuple[str, str] | None:
    """What is wrong with one value, and what to do about it."""
    if not isinstance(data, dict):
        return "Crash: `TF_CONFIG` is not a mapping", "Write a mapping with `cluster` and `task`."
    found = cast("dict[str, Any]", data)
    cluster, task = found.get("cluster"), found.get("task")
    if not isinstance(cluster, dict) or not isinstance(task, dict):
        return None
    hosts = cast("dict[str, Any]", cluster)
    kind, index = cast("dict[str, Any]", task).get("type"), cast("dict[str, Any]", task).get("index")
    addresses = [each for held in hosts.values() for each in _texts(held)]
    for address in addresses:
        if not address.rpartition(":")[2].isdigit():
            return f"Crash: `{address}` in the cluster of `TF_CONFIG` has no port", f"Write `{address}:PORT`."
    if len(set(addresses)) < len(addresses):
        return "Hang: an address is listed twice in the cluster of `TF_CONFIG`", "List each address once."
    if not isinstance(kind, str) or kind in _BESIDE_THE_CLUSTER:
        return None
    if kind not in hosts:
        message = f"Crash: the task is `{kind}`, but the cluster of `TF_CONFIG` only has {', '.join(hosts)}"
        return message, f"Add `{kind}` to the cluster, or use one of its types."
    if not isinstance(index, int) or isinstance(index, bool):
        if isinstance(index, str) and not index.isdigit():
            return f"Crash: the task index is `{index!r}`, not a number", "Write a number, without quotes."
        return None
    members = _texts(hosts[kind])
    if not 0 <= index < len(members):
        message = f"Crash: the task is {kind} {index}, but the cluster has {len(members)} of them"
        return message, f"Count from 0: the largest index is {len(members) - 1}."
    return None


def _texts(held: object) -> list[str]:
    if isinstance(held, dict):
        held = list(cast("dict[str, object]", held).values())
    return [each for each in cast("list[object]", held) if isinstance(each, str)] if isinstance(held, list) else []


def _beside_others(
    data: Mapping[str, Any],
    variable: Variable,
    tasks: dict[tuple[str, str, int], Location],
    clusters: dict[str, tuple[object, Location]],
) -> Iterable[Finding]:
    """Containers of one file are different tasks of one cluster."""
    task, path = data.get("task"), variable.file.path
    kind, index = (task.get("type"), task.get("index")) if isinstance(task, dict) else (None, None)  # pyright: ignore
    if not isinstance(kind, str) or not isinstance(index, int):
        return
    first = tasks.setdefault((path, kind, index), variable.location)
    cluster, place = clusters.setdefault(path, (data.get("cluster"), variable.location))
    if first != variable.location:
        message = f"Hang: two containers are {kind} {index}; the others wait for a task that never starts"
        yield Finding(
            message,
            variable.location,
            (Evidence("this one is the same task", first),),
            help="Use a different `task.index` in each container.",
        )
    elif cluster != data.get("cluster"):
        message = "Hang: the containers of this file have different clusters in `TF_CONFIG`"
        yield Finding(
            message,
            variable.location,
            (Evidence("another cluster is set here", place),),
            help="Use the same `cluster` in all containers.",
        )
