"""Whether triage skips a file that matters, and how much it saves.

    python benchmarks/triage.py FOLDER...

Two proofs for each folder, against a check that skips nothing. By imports: Python's own parser is asked which files
import a package with API models; triage must keep each of them. By findings: the folder is checked with triage and
without, and the findings must be the same.
"""

from __future__ import annotations

import argparse
import ast
import time
import warnings
from collections.abc import Collection, Sequence
from pathlib import Path

from ddl_lint.check.engine import check_project
from ddl_lint.check.memory import Memory
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.frameworks.compile import load_index
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.project.config import Settings
from ddl_lint.project.discover import discover
from ddl_lint.project.project_context import forget
from ddl_lint.registry.rules import load_rules, rule_packages
from ddl_lint.storage import user_storage
from ddl_lint.syntax import Triage

SETTINGS = Settings(pedantic=True, preview=True)


class Everything(Triage):
    """Keeps every file."""

    def can_matter(self, data: bytes) -> bool:
        return True


def imports(data: bytes, packages: Collection[str]) -> bool | None:
    """Whether a file imports one of the packages, by its syntax tree; None if it has none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # old escapes
            tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError):
        return None
    named: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            named.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            named.add(node.module.partition(".")[0])
    return not named.isdisjoint(packages)


def measure(folder: Path, api: ApiIndex, *, with_findings: bool) -> None:
    files = discover([folder], lambda _: SETTINGS).files
    triage = Triage(api.packages)
    contents = {path: path.read_bytes() for path in files if path.suffix == ".py"}
    started = time.process_time()
    kept = {path for path, data in contents.items() if triage.can_matter(data)}
    seconds = time.process_time() - started
    skipped = [path for path, data in contents.items() if path not in kept and imports(data, api.packages)]
    lines = {path: data.count(b"\n") for path, data in contents.items()}
    print(
        f"{folder.name}: {len(contents)} files, {len(contents) - len(kept)} skipped with"
        f" {sum(lines[path] for path in contents if path not in kept)} of {sum(lines.values())} lines,"
        f" {1000 * seconds:.1f} ms; {len(skipped)} false skips {[str(path) for path in skipped]}"
    )
    if not with_findings:
        return
    usual, with_triage = findings(files, Memory())
    all_files, without = findings(files, Memory(triage=Everything(api.packages)))
    print(
        f"    findings: {len(usual)} with triage in {with_triage:.1f} CPU s, {len(all_files)} without in {without:.1f}"
    )
    for title, more, less in (("only with", usual, all_files), ("only without", all_files, usual)):
        for finding in more:
            if finding not in less:
                print(f"    {title} triage: {finding.location.path}:{finding.location.start} {finding.name}")


def findings(files: Sequence[Path], memory: Memory) -> tuple[list[Diagnostic], float]:
    """The findings, and the CPU seconds that they took; programs are stored, so that parsing hardly counts."""
    forget()
    started = time.process_time()
    report = check_project(files, lambda _: SETTINGS, load_rules(), memory=memory, storage=user_storage())
    return report.findings, time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--imports-only", action="store_true", help="leave out the proof by findings, which takes long")
    options = parser.parse_args()
    shipped = sorted(file for folder in rule_packages().values() for file in (folder / "models").glob("*.yaml"))
    api = load_index(shipped, (), user_storage())
    for folder in options.folders:
        measure(folder.resolve(), api, with_findings=not options.imports_only)


if __name__ == "__main__":
    main()
