"""Every rule against its own programs: `bad/` and those that are flagged are found where they say, `good/` and silent
ones never. `<rule_name>.md` has the short ones, `<rule_name>/flagged` and `<rule_name>/silent` the whole ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cases import Program, cases_in, program_at, programs_of_rule
from ddl_lint.check.engine import check_project
from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import Rule, load_rules
from plain_english import is_short_sentence
from programs import check_program

_HERE = Path(__file__).parent
_RULES = [rule for rule in load_rules() if rule.folder is not None]
_ONLY_ASKED = Settings(pedantic=True, preview=True)
_LISTED = {rule.name: rule.info.consequences for rule in _RULES}


def _corpora() -> Iterator[tuple[str, str, Program]]:
    for rule in _RULES:
        assert rule.folder is not None
        for kind in ("bad", "good"):
            yield rule.folder.name, kind, program_at(rule.folder / kind)
        for kind in ("flagged", "silent"):
            for program in programs_of_rule(rule.name, kind):
                yield rule.folder.name, kind, program


_CASES = [pytest.param(kind, program, id=f"{rule}-{kind}-{program.name}") for rule, kind, program in _corpora()]


@pytest.mark.parametrize(("kind", "program"), _CASES)
def test_program(kind: str, program: Program, tmp_path: Path) -> None:
    outcome = check_program(program, tmp_path)
    assert (kind in ("bad", "flagged")) is bool(outcome.expected), "only bad and flagged programs expect findings"
    assert outcome.found == outcome.expected
    assert outcome.expected_infos <= outcome.infos
    assert not outcome.unexpected_infos & outcome.infos
    assert outcome.expected_evidence <= outcome.evidence
    assert not outcome.on_several_lines, "a place is one line: the header of a loop, the name of a call"
    said = [each for each in outcome.messages if each[0] in _LISTED]
    assert not [message for _, message, consequence in said if not is_short_sentence(message, consequence)]
    assert not [(name, consequence) for name, _, consequence in said if consequence not in _LISTED[name]]


@pytest.mark.parametrize(
    "rule", [rule for rule in _RULES if len(rule.info.consequences) > 1], ids=lambda rule: rule.name
)
def test_every_listed_consequence_occurs(rule: Rule, tmp_path: Path) -> None:
    assert rule.folder is not None
    left = set(rule.info.consequences)
    for number, program in enumerate([program_at(rule.folder / "bad"), *programs_of_rule(rule.name, "flagged")]):
        report = check_project(program.write(tmp_path / str(number)), lambda _: _ONLY_ASKED, [rule])
        left -= {finding.consequence for finding in report.findings}
        if not left:
            return
    assert not left, "no finding of the programs has it"


@pytest.mark.parametrize("rule", _RULES, ids=lambda rule: rule.name)
def test_every_silent_clause_has_a_program(rule: Rule) -> None:
    names = {program.name for program in programs_of_rule(rule.name, "silent")}
    for clause in rule.info.silent_when:
        assert clause.test in names, clause.when


def test_every_program_belongs_to_a_rule() -> None:
    known = {rule.name.replace("-", "_") for rule in _RULES}
    assert {path.stem for path in _HERE.iterdir() if path.suffix == ".md" or path.is_dir()} - {"__pycache__"} <= known
    for path in _HERE.glob("*.md"):
        assert {program.sections[1] for program in cases_in(path)} <= {"flagged", "silent"}
