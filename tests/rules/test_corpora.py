"""Every rule against its own programs: `bad/` and `flagged/` are found where they say, `good/` and `silent/` never."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ddl_lint.engine import check_project
from ddl_lint.finding import Finding
from ddl_lint.project.config import Settings
from ddl_lint.rules import Rule, load_rules

_EXPECT = re.compile(r"#\s*expect:\s*([\w\-, ]+)")
_RELATED = re.compile(r"#\s*expect-related:\s*([\w\-, ]+)")
_HERE = Path(__file__).parent
_RULES = [rule for rule in load_rules() if rule.room is not None]


def _corpora() -> Iterator[tuple[str, Path]]:
    for rule in _RULES:
        assert rule.room is not None
        for kind in ("bad", "good"):
            yield kind, rule.room / kind
        folder = _HERE / rule.name.replace("-", "_")
        for kind in ("flagged", "silent"):
            for case in sorted((folder / kind).glob("*")):
                if case.suffix == ".py" or case.is_dir():
                    yield kind, case


_CASES = [
    pytest.param(
        kind, case, id=f"{case.parent.name if kind in ('bad', 'good') else case.parents[1].name}-{kind}-{case.stem}"
    )
    for kind, case in _corpora()
]


def _findings(case: Path, folder: Path) -> tuple[Path, list[Finding], dict[str, str]]:
    """Check a case as a project of its own, apart from the other programs of this repository."""
    root = folder / "case"
    if case.is_dir():
        shutil.copytree(case, root, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        root.mkdir()
        shutil.copy(case, root / case.name)
    files = sorted(root.rglob("*.py"))
    report = check_project(files, lambda _: Settings(pedantic=True, preview=True), load_rules())
    assert not report.problems
    return root, report.findings, {path: document.text for path, document in report.documents.items()}


def _marks(root: Path, pattern: re.Pattern[str]) -> set[tuple[str, int, str]]:
    marks: set[tuple[str, int, str]] = set()
    for file in root.rglob("*.py"):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            match = pattern.search(line)
            if match:
                for name in match.group(1).split(","):
                    marks.add((file.relative_to(root).as_posix(), number, name.strip()))
    return marks


def _place(root: Path, texts: dict[str, str], path: str, start: int) -> tuple[str, int]:
    return Path(path).relative_to(root).as_posix(), texts[path].count("\n", 0, start) + 1


@pytest.mark.parametrize(("kind", "case"), _CASES)
def test_program(kind: str, case: Path, tmp_path: Path) -> None:
    root, findings, texts = _findings(case, tmp_path)
    found = {
        (*_place(root, texts, finding.location.path, finding.location.start), finding.name) for finding in findings
    }
    expected = _marks(root, _EXPECT)
    assert (kind in ("bad", "flagged")) is bool(expected), "only bad/ and flagged/ programs expect findings"
    assert found == expected
    related = _marks(root, _RELATED)
    shown = {
        (*_place(root, texts, evidence.location.path, evidence.location.start), finding.name)
        for finding in findings
        for evidence in finding.evidence
    }
    assert related <= shown


@pytest.mark.parametrize("rule", _RULES, ids=lambda rule: rule.name)
def test_every_silent_clause_has_a_program(rule: Rule) -> None:
    folder = _HERE / rule.name.replace("-", "_") / "silent"
    for clause in rule.info.silent_when:
        assert (folder / clause.test).is_dir() or (folder / f"{clause.test}.py").is_file(), clause.when
