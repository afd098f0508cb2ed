"""One cause, one finding, with the other places as evidence."""

from __future__ import annotations

from ddl_lint.check.causes import by_cause
from ddl_lint.finding import Applicability, Edit, Finding, Fix, RuleFinding, Severity
from ddl_lint.source.span import Location

_CAUSE = Location("a.py", 0, 3)


def _finding(place: Location, cause: Location | str | None = _CAUSE, **more) -> RuleFinding:
    return RuleFinding("DDL309", Finding(f"`{place.start}` is wrong", place, cause=cause, **more))


def _edit(start: int, kind: Applicability = Applicability.SAFE) -> Fix:
    return Fix("Write it", (Edit(Location("a.py", start, start + 1), "x"),), kind)


def test_findings_of_one_cause_are_one_at_the_first_place() -> None:
    places = [Location("b.py", 1, 2), Location("a.py", 30, 31), Location("a.py", 20, 21)]
    (found,) = by_cause(map(_finding, places), {"a.py"})
    assert found.finding.message == "`20` is wrong (and 2 more places)"
    assert found.location == places[2]
    assert found.finding.places == (places[1], places[0])
    assert [each.message for each in found.finding.evidence] == ["`30` is wrong", "`1` is wrong"]


def test_others_stay_apart() -> None:
    place = Location("a.py", 1, 2)
    other = RuleFinding("DDL310", _finding(place).finding)
    found = [_finding(place), other, _finding(place, None), _finding(place, None), _finding(place, "torch")]
    assert list(by_cause(found, ())) == found


def test_the_worst_speaks_for_all() -> None:
    mild = _finding(Location("a.py", 1, 2), severity=Severity.WARNING)
    (found,) = by_cause([mild, _finding(Location("a.py", 5, 6), severity=Severity.ERROR)], ())
    assert found.location.start == 5


def test_fixes_that_go_together_are_one_as_safe_as_the_least() -> None:
    one = _finding(Location("a.py", 1, 2), fix=_edit(1))
    other = _finding(Location("a.py", 5, 6), fix=_edit(5, Applicability.UNSAFE))
    (found,) = by_cause([one, other], ())
    assert found.finding.fix is not None
    assert [edit.location.start for edit in found.finding.fix.edits] == [1, 5]
    assert found.finding.fix.applicability is Applicability.UNSAFE
    (found,) = by_cause([one, _finding(Location("a.py", 5, 6), fix=_edit(1))], ())
    assert found.finding.fix is not None and len(found.finding.fix.edits) == 1
    (found,) = by_cause([one, _finding(Location("a.py", 5, 6))], ())
    assert found.finding.fix == one.finding.fix
