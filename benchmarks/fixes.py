"""Whether the fixes hold on real code: makes all of them in memory, and checks what must be true afterwards.

    python -m benchmarks.fixes FOLDER... [--diff] [--only RULE]

Each folder is one project; nothing is written. For every fixed finding it must hold that its files still parse, that
the finding is gone, that no finding has come that was not there before, that a further run changes nothing, and that
line ends and the byte order mark are kept. Failures are listed, and make the exit code 1.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from ddl_lint.check.changes import Files
from ddl_lint.check.engine import check_project
from ddl_lint.check.fixing import mend
from ddl_lint.check.report import Report
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Applicability
from ddl_lint.fixes.diff import unified_diff
from ddl_lint.fixes.rounds import Texts, faults_in, key_of
from ddl_lint.fixes.texts import encoded
from ddl_lint.project.config import Settings
from ddl_lint.project.discover import discover
from ddl_lint.registry.rules import load_rules


def main() -> int:
    """Try all folders and print what happened."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--diff", action="store_true", help="show what the fixes change")
    parser.add_argument("--only", action="append", default=[], metavar="RULE", help="the fixes of these rules only")
    options = parser.parse_args()
    fixed: Counter[tuple[str, str]] = Counter()
    refused: Counter[tuple[str, str]] = Counter()
    failures = 0
    for folder in options.folders:
        print(f"== {folder.name}", flush=True)
        for line in _try(folder.resolve(), options.only, options.diff, fixed, refused):
            failures += 1
            print(f"FAILED {line}")
    print(f"\n{sum(fixed.values())} findings fixed, {sum(refused.values())} without a fix, {failures} failures")
    for (name, level), count in sorted(fixed.items()):
        print(f"{count:>5}  {level:<7} {name}")
    for (name, reason), count in sorted(refused.items()):
        print(f"{count:>5}  no fix  {name}: {reason or 'without a reason'}")
    return int(failures > 0)


def _try(
    folder: Path, only: list[str], show: bool, fixed: Counter[tuple[str, str]], refused: Counter[tuple[str, str]]
) -> list[str]:
    settings = Settings(preview=True, pedantic=True, root=folder)
    paths = list(discover([folder], lambda _: settings).files)
    rules = load_rules()

    def check(texts: Texts) -> Report:
        return check_project(paths, lambda _: settings, rules, overlay=texts)

    first = check({})
    before = Counter(key_of(finding, first.documents)[:2] for finding in first.findings)
    if only:
        first.findings[:] = [finding for finding in first.findings if finding.name in only]
    for finding in first.findings:
        if finding.fix is None:
            refused[finding.name, finding.unfixable] += 1
    files = Files({path.as_posix() for path in paths}, {}, first.documents)

    def level(finding: Diagnostic) -> Applicability:
        wanted = not only or finding.name in only
        return Applicability.UNSAFE if wanted else Applicability.SAFE

    mended, last = mend(check, first, files, level)
    for finding in mended.fixed:
        assert finding.fix is not None
        fixed[finding.name, finding.fix.applicability.value] += 1
    problems = [
        f"{_place(failure.finding, first)} {failure.finding.name}: {failure.reason}" for failure in mended.failures
    ]
    if not mended.is_stable:
        problems.append("not stable after the last round")
    after = Counter(key_of(finding, last.documents)[:2] for finding in last.findings)
    problems += [f"{path}: new finding {code}" for (code, path), count in (after - before).items() if count]
    for path, text in mended.texts.items():
        old = files.text(path) or ""
        if faults_in(path, text) > faults_in(path, old):
            problems.append(f"{path}: does not parse")
        document = first.documents[path]
        if document.kind == "python" and _ends(text) - _ends(old):
            problems.append(f"{path}: has other line ends")
        if encoded(document, text)[:3] == b"\xef\xbb\xbf" and not document.has_bom:
            problems.append(f"{path}: has got a byte order mark")
        if show:
            print(unified_diff(path, Path(path).relative_to(folder).as_posix(), old, text))
    return problems


def _place(finding: Diagnostic, report: Report) -> str:
    document = report.documents[finding.location.path]
    return f"{finding.location.path}:{document.position(finding.location.start)[0]}"


def _ends(text: str) -> set[str]:
    return {end for end in ("\r\n", "\n", "\r") if end in text.replace("\r\n", "" if end != "\r\n" else "\r\n")}


if __name__ == "__main__":
    raise SystemExit(main())
