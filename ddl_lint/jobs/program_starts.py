"""The jobs that programs start themselves: `mp.spawn`, `TorchDistributor`, executors, estimators, and their sizes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ddl_lint.jobs.known import facts
from ddl_lint.jobs.program_values import ProgramValues
from ddl_lint.program import code
from ddl_lint.source.span import Location


@dataclass(frozen=True)
class ProgramStart:
    """A job that a program starts."""

    launcher: str
    place: Location
    script: str | None
    """As the call names it; None for a function of the program."""

    nodes: int | None
    processes: int | None
    """On each node."""

    world_size: int | None
    engine: str = ""
    versions: Mapping[str, str] | None = None
    unknown: Sequence[str] = ()
    """What is not known, and why."""


@cache
def _mentions() -> re.Pattern[bytes]:
    calls = [name for told in facts("program_launchers")["calls"].values() for name in told["names"]]
    last = {name.rpartition(".")[2] for name in (*calls, *facts("program_launchers")["estimators"]["names"])} - {"run"}
    words = b"|".join(sorted(re.escape(name.encode()) for name in last))
    return re.compile(rb"\b(?:" + words + rb"|horovod[\w.]*\.run|hvd\.run|spark\.run)\(")


def may_start_jobs(data: bytes) -> bool:
    """Whether a program may start a job itself, by its bytes."""
    return _mentions().search(data) is not None


def program_starts(path: str, text: str, module: code.Module) -> Iterator[ProgramStart]:
    """The jobs that a program starts; arguments as of `program_commands`."""
    reader = _Reader(ProgramValues(path, text, module), text)
    calls = [node for node in reader.values.nodes if isinstance(node, code.Call)]
    for call in sorted(calls, key=lambda each: each.start):
        yield from reader.started(call, calls)


class _Reader:
    def __init__(self, values: ProgramValues, text: str) -> None:
        self.values = values
        self._text = text
        self._estimators: Mapping[str, Any] = facts("program_launchers")["estimators"]

    def started(self, call: code.Call, calls: Sequence[code.Call]) -> Iterator[ProgramStart]:
        name = self.values.name(call.func)
        if name in self._estimators["names"]:
            yield self._estimator(name, call)
        for launcher, told in facts("program_launchers")["calls"].items():
            if name not in told["names"]:
                continue
            given = [call]
            if "updated_by" in told:
                variable = self._holder(call)
                given = [
                    each
                    for each in calls
                    if isinstance(each.func, code.Attribute)
                    and each.func.attr == told["updated_by"]
                    and variable is not None
                    and self._text[each.func.value.start : each.func.value.end] == variable
                ]
            yield _Sizes(self, launcher, told, given).start(call, calls)

    def _holder(self, call: code.Call) -> str | None:
        """The variable that holds the result of a call."""
        for node in self.values.nodes:
            if isinstance(node, code.Assign) and node.value is call and len(node.targets) == 1:
                return self._text[node.targets[0].start : node.targets[0].end]
        return None

    def source(self, node: code.Expression) -> str:
        """An expression as it is written, for people."""
        return " ".join(self._text[node.start : node.end].split())[:60]

    def constant(self, node: code.Expression | None) -> object:
        """What a literal is, also by a name; None where it is not known."""
        if isinstance(node, code.Name):
            node, is_grown = self.values.value_of(node)
            if is_grown:
                return None
        return node.value if isinstance(node, code.Literal) else None

    def _estimator(self, name: str, call: code.Call) -> ProgramStart:
        told, unknown = self._estimators, list[str]()
        given = {each.name: each.value for each in call.keywords if each.name is not None}
        has_more = any(each.name is None for each in call.keywords)
        nodes = self.values.number(given.get("instance_count"))
        kind = self.constant(given.get("instance_type"))
        gpus = told["gpus"].get(kind) if isinstance(kind, str) else None
        each, why = self._on_each_machine(given, gpus, has_more=has_more)
        if nodes is None:
            unknown.append(_why_not("instance_count", given.get("instance_count"), self))
        if each is None:
            unknown.append(why)
        script = self.constant(given.get("entry_point"))
        folder = self.constant(given.get("source_dir"))
        path = script if isinstance(script, str) else "?"
        if isinstance(folder, str) and isinstance(script, str) and "://" not in folder:
            path = f"{folder.rstrip('/')}/{script}"
        known: Mapping[str, Mapping[str, str]] = told["versions"]
        packages = next((names for start, names in known.items() if name.startswith(start)), dict[str, str]())
        versions = {package: self.constant(given.get(argument)) for argument, package in packages.items()}
        return ProgramStart(
            name.rpartition(".")[2],
            self.values.place(call),
            path,
            nodes,
            each,
            nodes * each if nodes is not None and each is not None else None,
            versions={package: version for package, version in versions.items() if isinstance(version, str)},
            unknown=unknown,
        )

    def _on_each_machine(
        self, given: Mapping[str, code.Expression], gpus: int | None, *, has_more: bool
    ) -> tuple[int | None, str]:
        """How many processes each machine has, or why that is not known."""
        distribution = given.get("distribution")
        if isinstance(distribution, code.Name):
            distribution = self.values.value_of(distribution)[0]
        if distribution is None:
            return (1, "") if "distribution" not in given and not has_more else (None, "`distribution` is not known")
        if not isinstance(distribution, code.Dictionary):
            return None, f"`distribution` is `{self.source(distribution)}`"
        for key, value in distribution.items:
            kind = self.constant(key)
            if kind in self._estimators["sizes"] and isinstance(value, code.Dictionary):
                inner = {self.constant(name): number for name, number in value.items}
                number = self.values.number(inner.get(self._estimators["sizes"][kind]))
                return number, f"`{self._estimators['sizes'][kind]}` is not known"
            if kind in self._estimators["one_for_each_gpu"]:
                return gpus, "how many GPUs the type of instance has"
        return None, f"`distribution` is `{self.source(distribution)}`"


class _Sizes:
    """The sizes that a call, or those that update what it made, give by their parameters."""

    def __init__(self, reader: _Reader, launcher: str, told: Mapping[str, Any], given: Sequence[code.Call]) -> None:
        self._reader, self._launcher, self._told = reader, launcher, told
        self._unknown: list[str] = []
        self._arguments: dict[str, list[code.Expression]] = {}
        self._has_more = False
        for call in given:
            for name, value in zip(told.get("parameters", ()), call.args, strict=False):
                self._has_more = self._has_more or isinstance(value, code.Starred)
                self._arguments.setdefault(name, []).append(value)
            for keyword in call.keywords:
                self._has_more = self._has_more or keyword.name is None
                if keyword.name is not None:
                    self._arguments.setdefault(keyword.name.removeprefix("slurm_"), []).append(keyword.value)

    def start(self, call: code.Call, calls: Sequence[code.Call]) -> ProgramStart:
        """The job that is started."""
        told = self._told
        total, each, nodes = (self._number(told[role]) if role in told else None for role in ("all", "each", "nodes"))
        if "one_node_if" in told and self._is_true(told["one_node_if"]):
            nodes = 1
        if told.get("here_if_negative") and total is not None:
            nodes, total = (1, -total) if total < 0 else (None, total or None)
        if told.get("grouped"):
            nodes = self._nodes_of_group(call, calls)
        if total is None and nodes is not None and each is not None:
            total = nodes * each
        if each is None and total is not None and nodes and total % nodes == 0:
            each = total // nodes
        if nodes is None and not self._unknown:
            self._unknown.append("on how many nodes the processes run")
        place = self._reader.values.place(call)
        return ProgramStart(
            *(self._launcher, place, None, nodes, each, total, told.get("engine", "")), unknown=self._unknown
        )

    def _number(self, parameter: str) -> int | None:
        names = (parameter, self._told.get("also", {}).get(parameter, parameter))
        given = [value for name in dict.fromkeys(names) for value in self._arguments.get(name, ())]
        if not given:
            number = self._told.get("otherwise", {}).get(parameter)
            if self._has_more or number is None:
                self._unknown.append(f"`{parameter}` is not written")
                return None
            return number
        found = {self._reader.values.number(value) for value in given}
        number = next(iter(found)) if len(found) == 1 and not self._has_more else None
        if number is None:
            self._unknown.append(_why_not(parameter, given[-1], self._reader))
        return number

    def _is_true(self, parameter: str) -> bool:
        given = self._arguments.get(parameter)
        if not given:
            return not self._has_more and self._told.get("otherwise", {}).get(parameter) is True
        return all(self._reader.constant(value) is True for value in given)

    def _nodes_of_group(self, call: code.Call, calls: Sequence[code.Call]) -> int | None:
        """1 where the group has as many processes as are started here; each node starts its own otherwise."""
        given = self._arguments.get(self._told["each"], [])
        started = {self._reader.source(value) for value in given} | {self._reader.values.number(each) for each in given}
        groups = [each for each in calls if self._reader.values.name(each.func).endswith("init_process_group")]
        sizes = [keyword.value for group in groups for keyword in group.keywords if keyword.name == "world_size"]
        is_whole = bool(sizes) and len(sizes) == len(groups)
        for size in sizes:
            is_whole = is_whole and (
                self._reader.source(size) in started or self._reader.values.number(size) in (started - {None})
            )
        return 1 if is_whole else None


def _why_not(parameter: str, value: code.Expression | None, reader: _Reader) -> str:
    if isinstance(value, code.Name):
        value = reader.values.value_of(value)[0] or value
    return f"`{parameter}` is `{reader.source(value)}`" if value is not None else f"`{parameter}` is not written"
