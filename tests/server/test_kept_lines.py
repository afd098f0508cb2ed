"""Findings of an earlier text, in the present one."""

from __future__ import annotations

import random

from ddl_lint.source import Document
from ddl_lint_server.kept_lines import in_present_text
from ddl_lint_server.messages import Change, Checked, Found, Place, Related, Repair, Text

PATH, OTHER = "/train.py", "/other.py"
TEXT = "a\nbb\nccc\ndddd\n"


def at(line: int, path: str = PATH) -> Place:
    return Place(path, 0, line, 0, line, 1)


def found(line: int, text: str = TEXT, related: tuple[int, ...] = (), repair: Repair | None = None) -> Found:
    steps = tuple(Related("here", at(each)) for each in related)
    start = Document(PATH, text).offset(line + 1, 1)
    return Found(str(line), "DDL1", "name", "message", "error", at(line), start, steps, repair)


def moved(after: str, *findings: Found, before: str = TEXT) -> tuple[Found, ...]:
    now = in_present_text(Checked(7, "digest", findings), PATH, before, Text(8, after, True))
    assert now.stamp == 8
    return now.found


def test_what_is_before_a_change_stays_and_what_is_after_it_moves():
    before, changed, after = moved("a\nbb\nnew\nlines\ndddd\n", found(0), found(1), found(3))
    assert (before, changed) == (found(0), found(1))
    assert (after.place, after.start) == (at(4), len("a\nbb\nnew\nlines\n"))
    assert moved("a\nbb\nnew\nlines\ndddd\n", found(2)) == ()


def test_a_change_that_moves_no_line_moves_offsets():
    (after,) = moved("a\nbb and more\nccc\ndddd\n", found(2))
    assert (after.place, after.start) == (at(2), found(2).start + len(" and more"))


def test_an_insertion_in_a_place_of_several_lines_takes_it_away():
    long = found(1)
    long = Found(long.id, long.code, long.name, "", "error", Place(PATH, 0, 1, 0, 2, 3), long.start)
    assert moved("a\nbb\nnew\nccc\ndddd\n", long) == ()
    assert moved("a\nnew\nbb\nccc\ndddd\n", long)[0].place == Place(PATH, 0, 2, 0, 3, 3)


def test_what_is_between_two_changes_is_still_known():
    (only,) = moved("new\na\nbb\nccc\ndddd\nnew\n", found(1))
    assert (only.place, only.start) == (at(2), len("new\na\n"))


def test_steps_of_the_proof_at_changed_lines_are_left_out():
    (only,) = moved("a\nnew\nccc\ndddd\n", found(3, related=(0, 1, 2)))
    assert [step.place for step in only.related] == [at(0), at(2)]


def test_a_fix_stays_only_as_a_whole():
    def fix(*places: Place) -> Repair:
        return Repair("Mend it", True, "", tuple(Change(place, "new") for place in places))

    (only,) = moved("new\na\nbb\nccc\ndddd\n", found(1, repair=fix(at(1), at(9, OTHER))))
    assert only.repair == fix(at(2), at(9, OTHER))
    (only,) = moved("a\nbb\nnew\ndddd\n", found(1, repair=fix(at(1), at(2))))
    assert only.repair is None


def test_what_is_known_is_always_of_the_same_line():
    dice = random.Random(3)
    for _ in range(300):
        lines = [f"{dice.randrange(3)}\n" for _ in range(dice.randrange(8))]
        new = [*lines]
        for _ in range(dice.randrange(3)):
            first = dice.randint(0, len(new))
            new[first : dice.randint(first, len(new))] = [f"{dice.randrange(3)}\n" for _ in range(dice.randrange(3))]
        before, after = "".join(lines), "".join(new)
        kept = moved(after, *(found(line, before) for line in range(len(lines))), before=before)
        for each in kept:
            assert new[each.place.start_line] == lines[int(each.id)]
            assert each.start == Document(PATH, after).offset(each.place.start_line + 1, 1)
