"""Whether what is found in a script depends on which other scripts are checked with it, on real code.

    python -m benchmarks.independence FOLDER... [--most 40] [--groups 20] [--seed 0] [--narrow]

Each folder is one project; nothing is written. What a check of several scripts finds in one of them must be, to the
last byte of the JSON report, what a check of that script alone finds: another program has no part in what this one
does. The whole folder is checked, then scripts by twos to fours, every other group with the modules that they import;
what is found in each script is held against a check of it alone, every check from a state of its own. Differences are
listed, and make the exit code 1. In a folder with more than `--most` scripts only so many, chosen at random, are looked
at; `--seed` chooses others.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from ddl_lint.analysis.interpreter.project.codebase import Codebase, name_all
from ddl_lint.analysis.interpreter.project.entries import script_entry
from ddl_lint.check.engine import check_project
from ddl_lint.check.memory import Memory
from ddl_lint.check.report import Report
from ddl_lint.output.json import diagnostics
from ddl_lint.output.shown import Shown
from ddl_lint.program import code
from ddl_lint.project.config import Settings
from ddl_lint.project.contents import Contents
from ddl_lint.project.discover import discover
from ddl_lint.project.project_context import python_files
from ddl_lint.registry.rules import load_rules
from ddl_lint.storage import Storage
from ddl_lint.syntax import in_deep_stack

Findings: TypeAlias = Counter[str]
"""The findings in one file, each as its JSON text."""

Check: TypeAlias = Callable[[Sequence[Path]], Mapping[Path, Findings]]
"""Checks files, from a state of its own; gives the findings that stand in each of them."""


@dataclass(frozen=True)
class Difference:
    """What is not found in a script as in a check of it alone, when its neighbours are checked with it."""

    script: Path
    neighbours: tuple[Path, ...]
    came: Findings
    went: Findings


@dataclass(frozen=True)
class Project:
    """The files of a folder that can be checked, those that somebody starts, and what each of these imports."""

    files: Sequence[Path]
    scripts: Sequence[Path]
    imports: Mapping[Path, Sequence[Path]]


def main() -> int:
    """Compare in all folders and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--most", type=int, default=40, help="how many scripts of a folder are looked at")
    parser.add_argument("--groups", type=int, default=20, help="how many random groups are checked")
    parser.add_argument("--seed", type=int, default=0, help="which scripts, and which groups")
    parser.add_argument("--narrow", action="store_true", help="find out which neighbours it takes")
    options = parser.parse_args()
    if missing := [str(folder) for folder in options.folders if not folder.is_dir()]:
        parser.error(f"there is no folder {', '.join(missing)}")
    differing = 0
    for folder in options.folders:
        root: Path = folder.resolve()
        dice = random.Random(options.seed)
        with tempfile.TemporaryDirectory() as programs:
            check = _checking(Storage(Path(programs)))
            project = read_project(root)
            scripts = sorted(dice.sample(project.scripts, min(options.most, len(project.scripts))))
            comparisons, found = 0, list[Difference]()
            for comparison in compare(scripts, check, groups_of(scripts, project, options.groups, dice)):
                comparisons += 1
                if comparison.came or comparison.went:
                    found.append(narrowed(comparison, check) if options.narrow else comparison)
        for difference in found:
            _show(difference, root)
        findings = {text for each in found for text in each.came | each.went}
        counts = f"{len(scripts)} of {len(project.scripts)} scripts, {comparisons} comparisons"
        print(
            f"== {root.name}: {counts}, {len(found)} differ (in {len({each.script for each in found})} scripts, "
            f"{len(findings)} findings)",
            flush=True,
        )
        differing += len(found)
    return int(differing > 0)


def read_project(folder: Path) -> Project:
    """Find the scripts of a folder, and what they import."""
    settings = Settings(root=folder)
    paths = discover([folder], lambda _: settings).files
    memory = Memory()
    check_project(paths, lambda _: settings, (), memory=memory)  # no rules: only to read the files
    return in_deep_stack(_project, folder, paths, memory)


def _project(folder: Path, paths: Sequence[Path], memory: Memory) -> Project:
    triage = memory.triage
    if triage is None:
        return Project(paths, (), {})
    files = Contents({}, memory.contents)
    sources = name_all({*paths, *python_files(folder)}, folder)
    codebase = Codebase(sources.values(), files.program)
    modules = {path: module for path in paths if (module := codebase.module(sources[path.as_posix()].name)) is not None}
    names = {path: frozenset(_imports(codebase, module)) for path, module in modules.items()}
    imported = frozenset[str]().union(*names.values())
    scripts = [
        path
        for path, module in modules.items()
        if script_entry(module, imported) is not None and (names[path] or files.can_matter(path.as_posix(), triage))
    ]
    return Project(
        paths, scripts, {path: [Path(codebase.sources[name].path) for name in names[path]] for path in scripts}
    )


def _imports(codebase: Codebase, module: code.Module) -> Iterator[str]:
    """The modules of the project that a module imports."""
    for name in module.imported:
        found = name if name in codebase else codebase.find(name, module.name)
        if found in codebase.sources:
            yield found


def _checking(storage: Storage) -> Check:
    """A check with all rules, from nothing but stored programs of files, which are the same for everybody."""
    settings = Settings(preview=True, pedantic=True)
    rules = load_rules()

    def check(paths: Sequence[Path]) -> Mapping[Path, Findings]:
        report = check_project(sorted(paths), lambda _: settings, rules, storage=storage)
        return {path: findings_in(report, path) for path in paths}

    return check


def findings_in(report: Report, path: Path) -> Findings:
    """The findings of a report that stand in one file, whichever files were asked for."""
    own = [finding for finding in report.findings if finding.location.path == path.as_posix()]
    shown = diagnostics(Shown(own, report.documents))
    return Counter(json.dumps(diagnostic, sort_keys=True) for diagnostic in shown)


def groups_of(scripts: Sequence[Path], project: Project, count: int, dice: random.Random) -> Iterator[Sequence[Path]]:
    """All files together, then random groups of two to four scripts, half of them with what they import; none twice."""
    seen = {tuple(project.files)}
    yield project.files
    for number in range(count if len(scripts) > 1 else 0):
        chosen = dice.sample(scripts, min(dice.randint(2, 4), len(scripts)))
        used = {path for script in chosen for path in project.imports[script]} if number % 2 else set[Path]()
        group = tuple(sorted({*chosen, *used}))
        if group not in seen:
            seen.add(group)
            yield group


def compare(scripts: Sequence[Path], check: Check, groups: Iterable[Sequence[Path]]) -> Iterator[Difference]:
    """One comparison for each script of each group; one that finds no difference has nothing in it."""
    alone = {script: check([script])[script] for script in scripts}
    for group in groups:
        together, members = check(group), frozenset(group)
        for script in (script for script in scripts if script in members):
            others = tuple(other for other in group if other != script)
            yield _difference(script, others, alone[script], together[script])


def narrowed(difference: Difference, check: Check) -> Difference:
    """A difference beside as few neighbours as do it: none of them can be left out. It may be a part of the whole."""
    alone = check([difference.script])[difference.script]
    pieces = 2
    while len(difference.neighbours) > 1:
        size = -(-len(difference.neighbours) // pieces)
        for start in range(0, len(difference.neighbours), size):
            rest = (*difference.neighbours[:start], *difference.neighbours[start + size :])
            together = check([difference.script, *rest])[difference.script]
            if together != alone:
                difference = _difference(difference.script, rest, alone, together)
                pieces = max(pieces - 1, 2)
                break
        else:
            if size == 1:
                break
            pieces *= 2
    return difference


def _difference(script: Path, neighbours: tuple[Path, ...], alone: Findings, together: Findings) -> Difference:
    return Difference(script, neighbours, together - alone, alone - together)


def _show(difference: Difference, root: Path) -> None:
    names = [neighbour.relative_to(root).as_posix() for neighbour in difference.neighbours]
    beside = ", ".join(names) if len(names) < 6 else f"{len(names)} others"
    print(f"{difference.script.relative_to(root).as_posix()} beside {beside}")
    came, went = Counter(map(_head, difference.came)), Counter(map(_head, difference.went))
    for sign, heads in (("+", came - went), ("-", went - came), ("~", came & went)):
        for head in sorted(heads):
            print(f"  {sign} {head}")


def _head(finding: str) -> str:
    """Line, code, name and message: findings that agree in these differ in what is shown beside, or in the fix."""
    shown: dict[str, Any] = json.loads(finding)
    cell = f"cell {shown['cell']}:" if "cell" in shown else ""
    return f"{cell}{shown['range']['start']['line']}: {shown['code']} {shown['name']}: {shown['message']}"


if __name__ == "__main__":
    raise SystemExit(main())
