"""Which fixes go together, and what they make of a text."""

from __future__ import annotations

from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Applicability, Confidence, Edit, Fix, Severity
from ddl_lint.fixes.apply import choose, edited, is_applicable
from ddl_lint.source import Location


def edit(start: int, end: int, text: str, path: str = "a.py") -> Edit:
    return Edit(Location(path, start, end), text)


def finding(*edits: Edit, isolation: str = "") -> Diagnostic:
    fix = Fix("Do it", edits, Applicability.SAFE, isolation=isolation)
    return Diagnostic("DDL201", "lost-rank", "wrong", edits[0].location, Severity.ERROR, Confidence.HIGH, fix=fix)


def test_edits_are_made_at_their_places_whatever_their_order():
    assert edited("abcdef", [edit(4, 5, "E"), edit(0, 1, ""), edit(2, 2, "-")]) == "b-cdEf"


def test_an_insertion_comes_before_what_replaces_the_text_behind_it():
    assert edited("abc", [edit(1, 2, "B"), edit(1, 1, "+")]) == "a+Bc"


def test_what_overlaps_waits_for_the_next_round():
    first, second, third = finding(edit(0, 4, "x")), finding(edit(3, 5, "y")), finding(edit(6, 7, "z"))
    found = choose([first, second, third])
    assert found.chosen == [first, third]
    assert found.waiting == [second]


def test_an_import_that_two_fixes_need_is_put_in_once():
    shared = edit(0, 0, "import os\n")
    found = choose([finding(shared, edit(10, 11, "a")), finding(shared, edit(20, 21, "b"))])
    assert len(found.chosen) == 2
    assert edited("." * 30, found.edits["a.py"]) == "import os\n" + "." * 10 + "a" + "." * 9 + "b" + "." * 9


def test_two_different_insertions_at_one_place_wait_for_each_other():
    assert len(choose([finding(edit(3, 3, "a")), finding(edit(3, 3, "b"))]).chosen) == 1


def test_the_same_replacement_twice_is_made_once_per_round():
    assert len(choose([finding(edit(3, 4, "a")), finding(edit(3, 4, "a"))]).chosen) == 1


def test_a_fix_is_made_in_all_files_or_not_at_all():
    first = finding(edit(0, 2, "x", "a.py"))
    both = finding(edit(5, 6, "y", "b.py"), edit(1, 3, "y", "a.py"))
    found = choose([first, both])
    assert found.chosen == [first]
    assert not found.edits["b.py"]


def test_isolated_fixes_go_one_by_one():
    found = choose([finding(edit(0, 1, "a"), isolation="sampler"), finding(edit(5, 6, "b"), isolation="sampler")])
    assert len(found.chosen) == 1
    assert len(found.waiting) == 1


def test_what_may_be_applied_at_which_level():
    safe = Fix("a", (edit(0, 1, ""),), Applicability.SAFE)
    unsafe = Fix("a", (edit(0, 1, ""),), Applicability.UNSAFE)
    shown = Fix("a", (edit(0, 1, ""),), Applicability.DISPLAY_ONLY)
    assert [is_applicable(fix, Applicability.SAFE) for fix in (safe, unsafe, shown, None)] == [
        True,
        False,
        False,
        False,
    ]
    assert [is_applicable(fix, Applicability.UNSAFE) for fix in (safe, unsafe, shown)] == [True, True, False]
    assert not is_applicable(Fix("nothing to edit", (), Applicability.SAFE), Applicability.SAFE)
