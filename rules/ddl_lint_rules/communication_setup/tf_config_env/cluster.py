"""What is wrong with the cluster of a `TF_CONFIG`, wherever it is written; what cannot be seen in it is `...`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from ddl_lint.rulekit import Apply, Claim, Const, Items, Location, Table, Value

_BESIDE_THE_CLUSTER = ("evaluator",)
_CHIEFS = ("chief", "master")
_SCHEME = re.compile(r"\w+://")
_LOOPBACK = re.compile(r"(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?")


class Fault(NamedTuple):
    """One fault, what to do about it, and the keys that lead to the part that has it."""

    message: str
    advice: str
    where: tuple[str | int, ...] = ()


def data_of(value: Value | None) -> object:
    """The data that a value represents, as far as it is written in the program."""
    if isinstance(value, Const):
        return value.value
    if isinstance(value, Table):
        held = {key.value: data_of(item) for key, item in value.items if isinstance(key, Const)}
        return held if value.is_told else {**held, ...: ...}
    if isinstance(value, Items):
        return ... if value.open else [data_of(item) for item in value.items]
    return ...


def decoded(value: Value | None) -> object:
    """The data that the workers are given: as JSON, by a string or by `json.dumps`."""
    if isinstance(value, Apply) and value.operator == "encoded":
        return data_of(value.operands[0])
    if isinstance(value, Const) and isinstance(value.value, str):
        try:
            return json.loads(value.value)
        except ValueError:
            return ...
    return ...


def place_of(value: Value | None, where: tuple[str | int, ...]) -> Location | None:
    """Where the program writes the part that the keys lead to; None where it has no place of its own."""
    if isinstance(value, Apply) and value.operator == "encoded":
        value = value.operands[0]
    for key in where:
        if isinstance(value, Table):
            value = next((item for name, item in value.items if name == Const(key)), None)
        elif isinstance(value, Items) and isinstance(key, int) and key < len(value.items):
            value = value.items[key]
        else:
            return None
    if isinstance(value, Table):
        return next((key.location for key, _ in value.items if isinstance(key, Const)), None)
    return value.location if isinstance(value, Const) else None


def workers_in(data: object) -> int:
    """How many tasks of a cluster compute; 0 where that is not known."""
    cluster = cast("dict[Any, Any]", data).get("cluster") if isinstance(data, dict) else None
    if not isinstance(cluster, dict) or ... in cluster:
        return 0
    held = [cast("dict[Any, Any]", cluster).get(job, []) for job in (*_CHIEFS, "worker")]
    return sum(len(cast("list[object]", each)) for each in held) if all(isinstance(each, list) for each in held) else 0


def fault_of(data: object) -> Fault | None:
    """The first fault of the data of a `TF_CONFIG`, if there is one."""
    if data is ...:
        return None
    if not isinstance(data, dict):
        return Fault(Claim("`TF_CONFIG` is not a mapping", "crash"), "Write a mapping with `cluster` and `task`.")
    found = cast("dict[Any, Any]", data)
    cluster, task = found.get("cluster", ...), found.get("task", ... if ... in found else None)
    if not isinstance(cluster, dict) or not cluster:
        return None
    hosts = cast("dict[Any, Any]", cluster)
    return _of_hosts(hosts) or _of_task(hosts, task)


def _of_hosts(hosts: dict[Any, Any]) -> Fault | None:
    seen: dict[str, tuple[str | int, ...]] = {}
    for job, held in hosts.items():
        if isinstance(held, str):
            message = Claim(f"`{job}` in the cluster of `TF_CONFIG` is a str, not a list of addresses", "crash")
            return Fault(message, f'Write `["{held}"]`.', ("cluster", job))
        for key, address in _addresses(held):
            where = ("cluster", job, key)
            if _SCHEME.match(address):
                message = Claim(f"`{address}` in the cluster of `TF_CONFIG` is not of the form `host:port`", "crash")
                return Fault(message, f"Write `{address.partition('://')[2]}`.", where)
            if not address.rpartition(":")[2].isdigit():
                message = Claim(f"`{address}` in the cluster of `TF_CONFIG` has no port", "crash")
                return Fault(message, f"Write `{address}:PORT`.", where)
            if address in seen:
                message = Claim(f"`{address}` is listed twice in the cluster of `TF_CONFIG`", "hang")
                return Fault(message, "List each address once.", where)
            seen[address] = where
    chiefs = sum(len(list(_addresses(hosts.get(job)))) for job in _CHIEFS)
    if chiefs > 1:
        message = Claim(f"the cluster of `TF_CONFIG` has {chiefs} chiefs, and may have one", "crash")
        return Fault(message, "Make the others workers.", ("cluster", "chief"))
    local = [address for address in seen if _LOOPBACK.fullmatch(address)]
    if local and len(local) < len(seen):
        message = Claim(
            f"`{local[0]}` is a different machine for each task, so tasks on other hosts cannot reach it", "hang"
        )
        return Fault(message, "Write the name of the host.", seen[local[0]])
    return None


def _of_task(hosts: dict[Any, Any], task: object) -> Fault | None:
    advice = 'Add `"task": {"type": ..., "index": ...}`.'
    if task is None or task == {}:
        return Fault(Claim("`TF_CONFIG` has a cluster, but no `task`", "crash"), advice)
    if not isinstance(task, dict):
        return None
    told = cast("dict[Any, Any]", task)
    for key in () if ... in told else ("type", "index"):
        if key not in told:
            return Fault(Claim(f"the task of `TF_CONFIG` has no `{key}`", "crash"), advice, ("task",))
    kind, index = told.get("type"), told.get("index")
    if not isinstance(kind, str) or kind in _BESIDE_THE_CLUSTER:
        return None
    if kind not in hosts:
        jobs = ", ".join(map(str, hosts))
        message = Claim(f"the task is `{kind}`, but the cluster of `TF_CONFIG` only has {jobs}", "crash")
        advice = f"Add `{kind}` to the cluster, or use one of its types."
        return None if ... in hosts else Fault(message, advice, ("task", "type"))
    if isinstance(index, str) and not index.isdigit():
        message = Claim(f"the task index is `{index!r}`, not a number", "crash")
        return Fault(message, "Write a number, without quotes.", ("task", "index"))
    if not isinstance(index, int) or isinstance(index, bool) or not isinstance(hosts[kind], (list, dict)):
        return None
    members = len(cast("list[object]", hosts[kind]))
    if not 0 <= index < members:
        message = Claim(f"the task is {kind} {index}, but the cluster has {members} of them", "crash")
        return Fault(message, f"Count from 0: the largest index is {members - 1}.", ("task", "index"))
    return None


def _addresses(held: object) -> Iterator[tuple[str | int, str]]:
    if isinstance(held, dict):
        pairs: list[tuple[Any, Any]] = list(cast("dict[Any, Any]", held).items())
    else:
        pairs = list(enumerate(cast("list[Any]", held))) if isinstance(held, list) else []
    return ((key, each) for key, each in pairs if isinstance(each, str))
