"""What a change costs: two states of ddl-lint on the same repositories, in turn, and a record of the outcome.

    python -m benchmarks.history FOLDER... [--against COMMIT] [--rounds 5] [--limit 5] [--record]

The present files are held against a commit, by default the last one in `history.csv`. Each round checks a repository
with both, with nothing stored. Only ratios are kept, for machines differ: the `index` of a repository is 100 for the
first commit in the record, and each line has that of the commit before times the ratio of the two. Exits with 1 where
a repository takes more than `--limit` per cent more CPU time than before.
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from benchmarks.processes import Usage
from benchmarks.rounds import Series, in_turn, ratio
from benchmarks.tables import figure, table
from benchmarks.tools import OURS, Tool

RECORD = Path(__file__).with_name("history.csv")
FIELDS = ("date", "commit", "against", "repository", "ratio", "index", "cpu_seconds", "memory_mib", "python")

_HERE = Path(__file__).parents[1]


def main() -> int:
    """Measure, show, and record if that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--against", metavar="COMMIT", help="default: the last one in the record")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--limit", type=float, default=5.0, metavar="PERCENT", help="what a change may cost")
    parser.add_argument("--record", action="store_true", help="add a line for each repository to the record")
    options = parser.parse_args()
    past = read(RECORD)
    against = options.against or (past[-1]["commit"] if past else "HEAD~1")
    folders: list[Path] = [folder.resolve() for folder in options.folders]
    lines: list[dict[str, str]] = []
    with _state(against) as before:
        for folder in folders:
            found = in_turn({"before": _checks(before, folder), "now": _checks(OURS, folder)}, options.rounds, 1e9)
            lines.append(line(past, folder.name, _commit("HEAD"), _commit(against), found["before"], found["now"]))
    print(table(FIELDS[3:8], [[each[name] for name in FIELDS[3:8]] for each in lines]))
    if options.record:
        write(RECORD, [*past, *lines])
    dearer = [each["repository"] for each in lines if float(each["ratio"]) > 1 + options.limit / 100]
    if dearer:
        print(f"More than {options.limit:g} % dearer than {_commit(against)}: {', '.join(dearer)}", file=sys.stderr)
    return 1 if dearer else 0


def line(
    past: Sequence[dict[str, str]], repository: str, commit: str, against: str, before: Series, now: Series
) -> dict[str, str]:
    """A line of the record: how a repository fares now, beside the commit that it is held against."""
    known = [each for each in past if each["repository"] == repository and each["commit"] == against]
    share = ratio(now, before)
    index = (float(known[-1]["index"]) if known else 100.0) * share
    values = (
        time.strftime("%Y-%m-%d"), commit, against, repository, f"{share:.3f}", f"{index:.1f}", figure(now.cpu),
        figure(now.memory), ".".join(map(str, sys.version_info[:3])),
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


@contextmanager
def _state(commit: str) -> Iterator[Tool]:
    """ddl-lint as it was, in a working tree of its own."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder).resolve() / "tree"
        git = ("git", "-C", str(_HERE), "worktree")
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), commit], check=True)
        try:
            path = os.pathsep.join(str(tree / part) for part in (".", "rules", "server"))
            yield replace(OURS, name="before", environment={**OURS.environment, "PYTHONPATH": path})
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)


def _checks(tool: Tool, folder: Path) -> Callable[[], Usage]:
    """A check of a repository in one process, with nothing stored but our own models."""
    alone = replace(tool, command=(*tool.command, "--no-cache", "--jobs", "1"))
    return lambda: alone.check(folder, Path(tempfile.gettempdir()))


def _commit(name: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(_HERE), "rev-parse", "--short=10", name], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


if __name__ == "__main__":
    raise SystemExit(main())
