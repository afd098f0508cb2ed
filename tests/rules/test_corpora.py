"""Every rule against its own programs: `bad/` and `flagged/` are found where they say, `good/` and `silent/` never."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ddl_lint.registry.rules import Rule, load_rules
from programs import check_program, programs_in

_HERE = Path(__file__).parent
_RULES = [rule for rule in load_rules() if rule.room is not None]


def _corpora() -> Iterator[tuple[str, Path]]:
    for rule in _RULES:
        assert rule.room is not None
        for kind in ("bad", "good"):
            yield kind, rule.room / kind
        folder = _HERE / rule.name.replace("-", "_")
        for kind in ("flagged", "silent"):
            for case in programs_in(folder / kind):
                yield kind, case


_CASES = [
    pytest.param(
        kind, case, id=f"{case.parent.name if kind in ('bad', 'good') else case.parents[1].name}-{kind}-{case.stem}"
    )
    for kind, case in _corpora()
]


@pytest.mark.parametrize(("kind", "case"), _CASES)
def test_program(kind: str, case: Path, tmp_path: Path) -> None:
    outcome = check_program(case, tmp_path)
    assert (kind in ("bad", "flagged")) is bool(outcome.expected), "only bad/ and flagged/ programs expect findings"
    assert outcome.found == outcome.expected
    assert outcome.expected_evidence <= outcome.evidence


@pytest.mark.parametrize("rule", _RULES, ids=lambda rule: rule.name)
def test_every_silent_clause_has_a_program(rule: Rule) -> None:
    folder = _HERE / rule.name.replace("-", "_") / "silent"
    for clause in rule.info.silent_when:
        assert (folder / clause.test).is_dir() or (folder / f"{clause.test}.py").is_file(), clause.when
