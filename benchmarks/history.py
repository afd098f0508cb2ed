"""What a change costs: two states of ddl-lint on the same pinned repositories, in turn, and a record of the outcome.

    python -m benchmarks.history [--all | --only NAME...] [--checkouts FOLDER] [--against COMMIT] [--record]

The present files are held against a commit, by default the last one in `history/record.csv`. Both check each repository
of `history/repositories.csv` once in each round, the other one first each time, in one process and with nothing stored.
CPU seconds and memory count, never the time that goes by. What others do on the machine only adds to them, so a
repository is dearer if its median ratio *and* that of the cheapest rounds are above `--limit`; then it is
measured again.

Prints a table in Markdown. Exits with 1 where a repository is dearer than `--limit` allows, or could not be measured.
Without `--checkouts`, repositories are fetched with git, once.
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import geometric_mean, median
from typing import NamedTuple

from benchmarks.checkouts import check_out_of, fetched, pinned
from benchmarks.processes import CommandError, Usage
from benchmarks.tables import figure, row, table
from benchmarks.tools import KEPT, OURS, Tool, store_models

REPOSITORIES = Path(__file__).with_name("history") / "repositories.csv"
RECORD = REPOSITORIES.with_name("record.csv")
FIELDS: tuple[str, ...] = ("date", "commit", "against", "repository", "rounds", "cpu_before", "cpu_now", "cpu_ratio",
          "memory_before", "memory_now", "memory_ratio", "python")  # fmt: skip
HEAD = ("repository", "CPU s before", "now", "ratio", "MiB before", "now", "ratio")

_PROJECT = Path(__file__).parents[1]
_SECONDS = 60.0

Check = Callable[[], Usage]


class Measure(NamedTuple):
    """What both states take, and the ratio: medians of the rounds; `least` is the ratio of the cheapest ones."""

    before: float
    now: float
    ratio: float
    least: float

    def exceeds(self, limit: float) -> bool:
        """Whether the present state surely takes more than this many per cent more."""
        return min(self.ratio, self.least) > 1 + limit / 100

    def shown(self) -> tuple[str, str, str]:
        """As it stands in the table."""
        return figure(self.before), figure(self.now), f"{self.ratio:.3f}"


@dataclass
class Comparison:
    """Both states on one repository; in each round, what was used before and now."""

    repository: str
    rounds: list[tuple[Usage, Usage]] = field(default_factory=list[tuple[Usage, Usage]])

    @property
    def cpu(self) -> Measure:
        """CPU seconds."""
        return self._measure([(before.cpu, now.cpu) for before, now in self.rounds])

    @property
    def memory(self) -> Measure:
        """The most memory that was held, in MiB."""
        return self._measure([(before.memory, now.memory) for before, now in self.rounds])

    def is_dearer(self, limit: float) -> bool:
        """Whether the present state takes more than this many per cent more, of time or memory."""
        return self.cpu.exceeds(limit) or self.memory.exceeds(limit)

    def add(self, before: Check, now: Check, rounds: int, seconds: float = _SECONDS) -> None:
        """Add rounds, but none after the present state has used so many CPU seconds in them.

        Raises:
            CommandError: a check failed.
        """
        first = len(self.rounds)
        for number in range(rounds):
            if sum(mine.cpu for _, mine in self.rounds[first:]) >= seconds:
                return
            # Who comes second may find a warmer machine, or a busier one.
            if number % 2:
                mine = now()
                self.rounds.append((before(), mine))
            else:
                self.rounds.append((before(), now()))

    @staticmethod
    def _measure(pairs: Sequence[tuple[float, float]]) -> Measure:
        before, now = [before for before, _ in pairs], [now for _, now in pairs]
        ratio = median(mine / other for other, mine in pairs)
        return Measure(median(before), median(now), ratio, min(now) / min(before))


def main() -> int:
    """Measure, show, and record if that is asked for."""
    options = _options()
    against, record = _commit(options.against), _commit("HEAD") if options.record else ""
    dearer: list[str] = []
    missing: list[str] = []
    done: list[Comparison] = []
    print(table(HEAD, []), flush=True)
    with _state(against) as past, _checks(past) as before, _checks(OURS) as now:
        for line in options.repositories:
            name = line["repository"]
            place = _place(options.checkouts, name, line["commit"])
            if isinstance(place, str):
                missing.append(f"{name} {place}")
                continue
            found = Comparison(name)
            checks = before(place), now(place)
            try:
                found.add(*checks, options.rounds)
                if found.is_dearer(options.limit):
                    found.add(*checks, options.rounds)
            except CommandError as error:
                missing.append(f"{name}: {error}")
                continue
            done.append(found)
            print(row([name, *found.cpu.shown(), *found.memory.shown()]), flush=True)
            if found.is_dearer(options.limit):
                dearer.append(name)
    if done:
        cpu, memory = (f"{geometric_mean(ratios):.3f}" for ratios in _ratios(done))
        print(row(["geometric mean", "", "", cpu, "", "", memory]))
    if record:
        write(RECORD, [*read(RECORD), *(recorded(each, record, against) for each in done)])
    for each in missing:
        print(f"Not measured: {each}", file=sys.stderr)
    if dearer:
        print(f"More than {options.limit:g} % dearer than {against}: {', '.join(dearer)}", file=sys.stderr)
    return 1 if dearer or missing else 0


def _ratios(found: Sequence[Comparison]) -> tuple[list[float], list[float]]:
    return [each.cpu.ratio for each in found], [each.memory.ratio for each in found]


def chosen(lines: Sequence[dict[str, str]], everything: bool, only: Sequence[str]) -> list[dict[str, str]]:
    """Those of the pinned repositories that are asked for, by their names or parts of them; else the small ones."""
    if only:
        return [line for line in lines if any(word.casefold() in line["repository"].casefold() for word in only)]
    return [line for line in lines if everything or line["small"]]


def recorded(found: Comparison, commit: str, against: str) -> dict[str, str]:
    """A line of the record: how a repository fares now, beside the commit that it is held against."""
    values = (
        time.strftime("%Y-%m-%d"), commit, against, found.repository, str(len(found.rounds)), *found.cpu.shown(),
        *found.memory.shown(), ".".join(map(str, sys.version_info[:3])),
    )  # fmt: skip
    return dict(zip(FIELDS, values, strict=True))


def read(file: Path) -> list[dict[str, str]]:
    """The lines of a record, oldest first; none without one."""
    if not file.exists():
        return []
    with file.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def write(file: Path, lines: Sequence[dict[str, str]]) -> None:
    """Replace a record."""
    with file.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)


class _Options(argparse.Namespace):
    checkouts: Path | None
    everything: bool
    only: list[str]
    against: str
    rounds: int
    limit: float
    record: bool
    repositories: list[dict[str, str]]


def _options() -> _Options:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--all", dest="everything", action="store_true", help="the large repositories, too")
    which.add_argument("--only", nargs="+", default=[], metavar="NAME", help="those with one of these in their name")
    parser.add_argument("--checkouts", type=Path, metavar="FOLDER", help="where check-outs lie, each named OWNER+NAME")
    parser.add_argument("--against", metavar="COMMIT", help="default: the last one in the record")
    parser.add_argument("--rounds", type=int, default=5, help="fewer for what takes a minute or more")
    parser.add_argument("--limit", type=float, default=5.0, metavar="PERCENT", help="what a change may cost")
    parser.add_argument("--record", action="store_true", help="add the outcome to the record; commit it")
    options = parser.parse_args(namespace=_Options())
    past = read(RECORD)
    options.against = options.against or (past[-1]["commit"] if past else "HEAD~1")
    options.repositories = chosen(pinned(REPOSITORIES), options.everything, options.only)
    if not options.repositories:
        parser.error(f"no repository of {REPOSITORIES.name} has such a name")
    if options.record and _git("status", "--porcelain", "--untracked-files=no"):
        parser.error("--record names a commit: commit your changes first")
    return options


def _place(folder: Path | None, repository: str, commit: str) -> Path | str:
    return check_out_of(folder, repository, commit) if folder else fetched(KEPT / "repositories", repository, commit)


@contextmanager
def _state(commit: str) -> Generator[Tool]:
    """ddl-lint as it was, in a working tree of its own."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder).resolve() / "tree"
        _git("worktree", "add", "--quiet", "--detach", str(tree), commit)
        try:
            # The present files have been imported before, too.
            subprocess.run([sys.executable, "-m", "compileall", "-q", str(tree / "ddl_lint"), str(tree / "rules")])
            path = os.pathsep.join(str(tree / part) for part in (".", "rules", "server"))
            yield replace(OURS, name="before", environment={**OURS.environment, "PYTHONPATH": path})
        finally:
            _git("worktree", "remove", "--force", str(tree))


@contextmanager
def _checks(tool: Tool) -> Generator[Callable[[Path], Check]]:
    """Checks of folders in one process; all that they find stored are the API models, as after any run."""
    alone = replace(tool, command=(*tool.command, "--no-cache", "--jobs", "1"))
    with tempfile.TemporaryDirectory() as cache:
        store_models(tool, Path(cache))
        yield lambda folder: lambda: alone.check(folder.resolve(), Path(cache))


def _commit(name: str) -> str:
    return _git("rev-parse", "--short=10", f"{name}^{{commit}}")


def _git(*words: str) -> str:
    done = subprocess.run(["git", "-C", str(_PROJECT), *words], capture_output=True, text=True)
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["it says nothing"])[-1]
        raise SystemExit(f"git {words[0]}: {said} (a clone without its history knows no older commit)")
    return done.stdout.strip()


if __name__ == "__main__":
    raise SystemExit(main())
