"""Whether a session says after edits what a fresh check says, on real code, and what each edit costs.

    python -m benchmarks.edits FOLDER... [--edits 40] [--seed 0] [--every 1] [--only PART]

Each folder is one project; nothing is written. One edit after the other is made inside of a function: a statement comes
or goes, a number changes, a collective or a call is put in; now and then all are undone. After every `--every`th one
the findings of the session, which follows only what the edit concerns, are held against those of a check that remembers
nothing; with `--every 0` none is. Differences are listed, and make the exit code 1. `--only` edits the files with this
part in their paths. The table shows CPU milliseconds.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.tables import figure, quantile, table
from ddl_lint.check.configuration import Configuration
from ddl_lint.check.report import Report
from ddl_lint.check.request import Request
from ddl_lint.check.session import Session, tidy_up
from ddl_lint.lowering import lower
from ddl_lint.program import code
from ddl_lint.program.shift import outer_functions
from ddl_lint.project.config import Settings
from ddl_lint.project.discover import discover
from ddl_lint.registry.rules import load_rules
from ddl_lint.source import Document
from ddl_lint.syntax import in_deep_stack

_NUMBER = re.compile(r"\b\d+\b")
_NEW = {"statement": "edited = 1", "call": "print(len([3]))", "collective": "torch.distributed.barrier()"}
_KINDS = (*_NEW, "number", "nothing")


@dataclass(frozen=True)
class Edit:
    """A change of a file."""

    what: str
    path: str
    text: str


@dataclass
class Outcome:
    """What edits of a project cost in CPU seconds, and where a session and a fresh check differ."""

    first: float
    taken: list[float] = field(default_factory=list[float])
    differences: list[str] = field(default_factory=list[str])


class Project:
    """A folder that is edited and checked."""

    def __init__(self, root: Path, seed: int, only: str) -> None:
        settings = Settings(preview=True, pedantic=True, root=root)
        self._configuration = Configuration(fixed=settings)
        self._rules = load_rules()
        self._paths = list(discover([root], lambda _: settings).files)
        self._edited = [path for path in self._paths if path.suffix == ".py" and only in path.as_posix()]
        self._dice = random.Random(seed)
        self._root = root

    def run(self, edits: int, every: int) -> Outcome:
        """Make edits, one after the other."""
        session = Session(self._rules)
        outcome = Outcome(self._check(session, {})[1])
        tidy_up()
        overlay: dict[str, str] = {}
        while len(outcome.taken) < edits:
            edit = in_deep_stack(self._edit, overlay)
            if edit is None:
                continue
            overlay[edit.path] = edit.text
            found, seconds = self._check(session, overlay)
            outcome.taken.append(seconds)
            if every and len(outcome.taken) % every == 0:
                fresh, _ = self._check(Session(self._rules), overlay)
                told = _told(found), _told(fresh)
                if told[0] != told[1]:
                    away = [each for each in (*told[0], *told[1]) if (each in told[0]) is not (each in told[1])]
                    outcome.differences.append(f"{edit.what}: {away[:3]}")
            if self._dice.random() < 0.3:
                overlay.clear()
        return outcome

    def _check(self, session: Session, overlay: Mapping[str, str]) -> tuple[Report, float]:
        start = time.process_time()
        report = session.check(Request(self._paths, self._configuration, overlay=dict(overlay)))
        return report, time.process_time() - start

    def _edit(self, overlay: Mapping[str, str]) -> Edit | None:
        """A change of a function somewhere; None where it cannot be made there."""
        path = self._dice.choice(self._edited)
        text = overlay.get(path.as_posix()) or path.read_text(encoding="utf-8", errors="replace")
        module = lower(Document(path.as_posix(), text), "edited", is_package=False).module
        functions = [each for each in outer_functions(module) if each.body]
        if not functions:
            return None
        function, kind = self._dice.choice(functions), self._dice.choice(_KINDS)
        changed = _changed(text, function, kind)
        what = f"{kind} in {path.relative_to(self._root)}:{function.qualname}"
        return Edit(what, path.as_posix(), changed) if changed is not None else None


def _changed(text: str, function: code.Function, kind: str) -> str | None:
    """A text with a function changed."""
    last = function.body[-1]
    line = text.rfind("\n", 0, last.start) + 1
    indent = text[line : last.start]
    if indent.strip():
        return None
    if kind == "nothing":
        return f"{text[: last.start]}pass{text[last.end :]}"
    if kind == "number":
        number = _NUMBER.search(text, function.body[0].start, function.end)
        return f"{text[: number.start()]}7{text[number.end() :]}" if number is not None else None
    return f"{text[:line]}{indent}{_NEW[kind]}\n{text[line:]}"


def _told(report: Report) -> Sequence[tuple[object, ...]]:
    found = ((f.location, f.code, f.message, f.evidence, f.unfixable, repr(f.fix)) for f in report.findings)
    return sorted(found, key=repr)


def _rows(folders: Sequence[Path], edits: int, seed: int, every: int, only: str) -> Iterator[tuple[str, Outcome]]:
    for folder in folders:
        yield folder.name, Project(folder.resolve(), seed, only).run(edits, every)


def main() -> int:
    """Make edits and print what they cost; returns the exit code."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    options.add_argument("--edits", type=int, default=40)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--every", type=int, default=1)
    options.add_argument("--only", default="", metavar="PART")
    given = options.parse_args()
    rows: list[tuple[str, ...]] = []
    is_same = True
    for name, outcome in _rows(given.folders, given.edits, given.seed, given.every, given.only):
        numbers = (outcome.first, median(outcome.taken), quantile(outcome.taken, 0.95), max(outcome.taken))
        rows.append((name, *(figure(number * 1000) for number in numbers)))
        for difference in outcome.differences:
            print(f"{name}: {difference}")
        is_same = is_same and not outcome.differences
    print(table(("project", "first check", "edit p50", "p95", "max"), rows))
    return 0 if is_same else 1


if __name__ == "__main__":
    sys.exit(main())
