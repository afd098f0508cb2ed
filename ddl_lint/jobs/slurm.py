"""Reads the `#SBATCH` lines of batch scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ddl_lint.jobs.excerpt import Excerpt
from ddl_lint.jobs.launchers import launchers
from ddl_lint.jobs.words import Part, Word
from ddl_lint.source.span import Location

_LINE = re.compile(r"^#SBATCH(?=[ \t])([^\n]*)", re.MULTILINE)
_TOKEN = re.compile(r"\"[^\"]*\"|'[^']*'|#.*|(?:[^\s\"'#]|\"[^\"]*\"|'[^']*')+")
_LOOSE = re.compile(
    r"^[ \t]*(?:#[ \t]+SBATCH|#(?!SBATCH)(?i:sbatch)|##+[ \t]*SBATCH)[ \t]+(--?[A-Za-z][\w-]*)", re.MULTILINE
)
_CODE = re.compile(r"^[ \t]*[^#\s].*$", re.MULTILINE)
_COUNT = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Directive:
    """One option of a batch script."""

    name: str
    """As of `srun`, in words with underscores."""

    value: str
    location: Location
    """The whole line."""

    value_location: Location
    is_late: bool
    """Whether it comes after the first command, where Slurm does not look."""

    @property
    def number(self) -> int | None:
        """The number that it gives, if it is one."""
        return int(self.value) if self.value.isdigit() and len(self.value) < 9 else None


@dataclass(frozen=True, slots=True)
class Directives:
    """The directives of a batch script."""

    all: tuple[Directive, ...]
    loose: tuple[Location, ...] = ()
    """Comments that look like directives, and are none."""

    @property
    def effective(self) -> Mapping[str, Directive]:
        """Those that Slurm reads, by name; of several the last one."""
        return {each.name: each for each in self.all if not each.is_late}

    def number(self, name: str) -> int | None:
        """The number that a directive gives."""
        found = self.effective.get(name)
        return found.number if found is not None else None

    @property
    def is_plain(self) -> bool:
        """Whether each is given once, and there is one job only."""
        names = [each.name for each in self.all if not each.is_late]
        return len(set(names)) == len(names) and "hetjob" not in names

    @property
    def nodes(self) -> int | None:
        """The number of nodes, where it is known; 1 if neither that nor a number of tasks is given."""
        found = self.effective.get("nodes")
        if found is None:
            return None if {"ntasks", "nodelist"} & self.effective.keys() else 1
        low, _, high = found.value.partition("-")
        return int(low) if low.isdigit() and high in ("", low) and len(low) < 9 else None

    @property
    def tasks_per_node(self) -> int | None:
        """The number of tasks on each node, where it is known."""
        if "ntasks_per_node" in self.effective:
            return self.number("ntasks_per_node")
        if "ntasks" in self.effective:
            total, nodes = self.number("ntasks"), self.nodes if "nodes" in self.effective else None
            return total // nodes if total is not None and nodes and total % nodes == 0 else None
        return None if {"gpus_per_task", "ntasks_per_gpu"} & self.effective.keys() else 1

    @property
    def gpus_per_node(self) -> int | None:
        """The number of GPUs of each node, where it is known."""
        for name in ("gpus_per_node", "gres"):
            found = self.effective.get(name)
            if found is not None:
                return gpus_in(found.value, is_list=name == "gres")
        tasks, each = self.tasks_per_node, self.effective.get("gpus_per_task")
        if each is not None and tasks is not None:
            number = gpus_in(each.value)
            return number * tasks if number is not None else None
        total = self.effective.get("gpus")
        if total is not None and self.nodes:
            number = gpus_in(total.value)
            return number // self.nodes if number is not None and number % self.nodes == 0 else None
        return None

    @property
    def environment(self) -> Mapping[str, Word]:
        """The variables in which Slurm hands these numbers to the script, each with the place of its directive."""
        tasks = self.tasks_per_node
        told = self.number("ntasks")
        if told is None and tasks is not None and self.nodes is not None and "ntasks_per_node" in self.effective:
            told = tasks * self.nodes
        found = (
            ("nodes", self.nodes, ("SLURM_NNODES", "SLURM_JOB_NUM_NODES")),
            ("ntasks_per_node", self.number("ntasks_per_node"), ("SLURM_NTASKS_PER_NODE",)),
            ("ntasks" if "ntasks" in self.effective else "ntasks_per_node", told, ("SLURM_NTASKS", "SLURM_NPROCS")),
            ("gpus_per_node" if "gpus_per_node" in self.effective else "gres", self.gpus_per_node, _GPUS),
            ("gpus", self.number("gpus"), ("SLURM_GPUS",)),
            ("gpus_per_node", self.number("gpus_per_node"), ("SLURM_GPUS_PER_NODE",)),
            ("gpus_per_task", self.number("gpus_per_task"), ("SLURM_GPUS_PER_TASK",)),
            ("cpus_per_task", self.number("cpus_per_task"), ("SLURM_CPUS_PER_TASK",)),
        )
        return {
            name: _held(number, self.effective[option])
            for option, number, names in found
            if number is not None and option in self.effective and self.is_plain
            for name in names
        }


_GPUS = ("SLURM_GPUS_ON_NODE",)


def _held(number: int, directive: Directive) -> Word:
    place = directive.value_location
    return Word((Part(str(number), directive.value, place),), place)


def gpus_in(value: str, *, is_list: bool = False) -> int | None:
    """The number of GPUs that `4`, `a100:4`, or, in a list of resources, `gpu:a100:4` asks for."""
    if is_list:
        found = [each for each in value.split(",") if each.startswith("gpu")]
        if len(found) != 1:
            return None
        kind, _, value = found[0].partition(":")
        if kind != "gpu":
            return None
        value = value or "1"
    last = value.rpartition(":")[2].partition("(")[0]
    if _COUNT.fullmatch(last):
        return int(last) if len(last) < 6 else None
    return 1 if is_list and ":" not in value and value.isalnum() else None


def read_directives(excerpt: Excerpt) -> Directives | None:
    """The directives of a shell script; None if it has none."""
    text, place = excerpt.text, excerpt.place
    if "SBATCH" not in text:
        return None
    code = _CODE.search(text)
    first_command = code.start() if code is not None else len(text)
    srun = launchers()["srun"]
    found: list[Directive] = []
    for line in _LINE.finditer(text):
        whole = place(line.start(), line.start() + len(line.group().rstrip()))
        for name, value, start in _options(line):
            of_value = place(start, start + len(value))
            name = srun.meaning(name) or name.replace("-", "_")
            found.append(Directive(name, value.strip("\"'"), whole, of_value, line.start() > first_command))
    loose = [place(match.start(), match.end()) for match in _LOOSE.finditer(text)]
    return Directives(tuple(found), tuple(loose)) if found else None


def _options(line: re.Match[str]) -> Iterator[tuple[str, str, int]]:
    """The options of a line: name, value and where that begins."""
    tokens: list[tuple[str, int]] = []
    for token in _TOKEN.finditer(line.string, *line.span(1)):
        if token.group().startswith("#"):
            break
        tokens.append((token.group(), token.start()))
    at = 0
    while at < len(tokens):
        written, start = tokens[at]
        at += 1
        if not written.startswith("-"):
            continue
        following = tokens[at] if at < len(tokens) and not tokens[at][0].startswith("-") else None
        name, equals, value = written.lstrip("-").partition("=")
        if equals:
            yield name, value, start + len(written) - len(value)
        elif not written.startswith("--") and len(name) > 1:
            yield name[0], name[1:], start + 2
        elif following is not None:
            at += 1
            yield name, *following
        else:
            yield name, "", start + len(written)
