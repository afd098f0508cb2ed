"""Where the time goes: CPU per 1,000 lines, split into triage, parse, lowering, analysis, ranks and rules.

    python -m benchmarks.stages FOLDER... [--repeat 3]

Each folder is checked as one project, stage by stage, with all rules. The bare `libcst.parse_module` of the same files
is measured in the same run; "after the parse" is what ddl-lint adds to it. Medians over the repeats.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import TypeVar

import libcst

from ddl_lint.analysis.interpreter.project.codebase import Codebase, Source, name_of
from ddl_lint.analysis.interpreter.project.installed import InstalledPackages
from ddl_lint.analysis.ranks.found_divergences import found_divergences
from ddl_lint.analysis.runs import Analyzer, RunCheck
from ddl_lint.analysis.view import ProjectContext, RunView
from ddl_lint.frameworks.compile import load_index
from ddl_lint.lowering import lower
from ddl_lint.lowering.by_libcst import lower_tree
from ddl_lint.program import code
from ddl_lint.project.config import Settings
from ddl_lint.project.discover import discover
from ddl_lint.registry.rules import load_rules, rule_packages
from ddl_lint.source import Document, SourceError, load
from ddl_lint.storage import user_storage
from ddl_lint.syntax import Triage, in_deep_stack
from ddl_lint.syntax.parse import parse

_T = TypeVar("_T")
STAGES = ("libcst", "triage", "parse", "lowering", "analysis", "ranks", "rules")


def timed(seconds: dict[str, float], stage: str, function: Callable[[], _T]) -> _T:
    """Call a function and add its CPU time to a stage."""
    gc.collect()
    start = time.process_time()
    result = function()
    seconds[stage] = seconds.get(stage, 0.0) + time.process_time() - start
    return result


def measure(folder: Path) -> tuple[dict[str, float], int, int]:
    """Seconds per stage, lines of the files that matter, and their number."""
    seconds: dict[str, float] = {}
    shipped = sorted(file for root in rule_packages().values() for file in (root / "models").glob("*.yaml"))
    api = load_index(shipped, (), user_storage())
    files = [path for path in discover([folder], lambda _: Settings()).files if path.suffix == ".py"]
    triage = Triage(api.packages)
    kept = timed(seconds, "triage", lambda: [path for path in files if triage.can_matter(path.read_bytes())])
    documents: dict[str, Document] = {}
    for path in kept:
        try:
            documents[path.as_posix()] = load(path.as_posix())
        except SourceError:
            continue
    lines = sum(document.line_count for document in documents.values())
    sources = [name_of(path, folder) for path in files]
    by_path = {source.path: source for source in sources}

    def bare() -> None:
        for document in documents.values():
            try:
                libcst.parse_module(document.text)
            except libcst.ParserSyntaxError:
                continue

    timed(seconds, "libcst", bare)
    modules: dict[str, code.Module] = {}
    for path, document in documents.items():
        tree = timed_quietly(seconds, "parse", lambda document=document: parse(document))
        source = by_path[path]
        lowered = timed_quietly(
            seconds, "lowering", lambda d=document, t=tree, s=source: lower_tree(d, t, s.name, is_package=s.is_package)
        )
        modules[source.name] = lowered.module

    def on_demand(source: Source) -> code.Module | None:
        if source.name not in modules:
            try:
                modules[source.name] = lower(load(source.path), source.name, is_package=source.is_package).module
            except SourceError:
                return None
        return modules[source.name]

    codebase = Codebase(sources, on_demand)
    for source in sources:  # files without a framework import are read only where others import them
        codebase.module(source.name)
    names = [by_path[path].name for path in documents]
    project_context = ProjectContext(api, codebase, names=names)
    analyzer = Analyzer[RunView](api, InstalledPackages(api))
    runs = timed(seconds, "analysis", lambda: analyzer.run(project_context, RunCheck(lambda run: run)))
    checks = [rule.check for rule in load_rules() if rule.has_check]
    timed(seconds, "ranks", lambda: [found_divergences(run) for run in runs])
    timed(seconds, "rules", lambda: [list(check(run)) for check in checks for run in runs])
    return seconds, lines, len(documents)


def timed_quietly(seconds: dict[str, float], stage: str, function: Callable[[], _T]) -> _T:
    """As `timed`, without collecting garbage first: for the many small steps of one stage."""
    start = time.process_time()
    result = function()
    seconds[stage] = seconds.get(stage, 0.0) + time.process_time() - start
    return result


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    gc.set_threshold(50_000, 20, 100)
    print(f"{'ms CPU per 1,000 lines':36s} {'files':>5s} {'lines':>7s} " + " ".join(f"{s:>8s}" for s in STAGES)
          + f" {'after/libcst':>12s}")  # fmt: skip
    for folder in options.folders:
        results = [measure(folder.resolve()) for _ in range(options.repeat)]
        lines, files = results[0][1], results[0][2]
        per = {stage: median(r[0].get(stage, 0.0) for r in results) / max(lines, 1) * 1e6 for stage in STAGES}
        after = per["lowering"] + per["analysis"] + per["ranks"] + per["rules"]
        cells = " ".join(f"{per[stage]:8.1f}" for stage in STAGES)
        print(
            f"{folder.name[:36]:36s} {files:5d} {lines:7d} {cells} {after / max(per['libcst'], 0.001):12.2f}",
            flush=True,
        )


if __name__ == "__main__":
    in_deep_stack(main)
