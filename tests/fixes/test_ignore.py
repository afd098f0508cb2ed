"""Suppression comments: where they are put, and what is left of them when they are not needed."""

from __future__ import annotations

import pytest

from ddl_lint.fixes.apply import edited
from ddl_lint.fixes.ignore import ignoring, without
from ddl_lint.source import document_from_text, find_suppressions

LONG = "value = compute(" + ", ".join(f"argument_{number}" for number in range(7)) + ")"


def ignored(text: str, *places: tuple[str, str]) -> str:
    """The text with comments for findings at these words, each of a rule."""
    document = document_from_text("a.py", text)
    return edited(text, ignoring(document, [(text.index(word), rule) for word, rule in places]))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = bad()\n", "x = bad()  # ddl-lint: ignore[one]\n"),
        ("x = bad()", "x = bad()  # ddl-lint: ignore[one]"),
        ("x = bad()\r\ny = 1\r\n", "x = bad()  # ddl-lint: ignore[one]\r\ny = 1\r\n"),
        ("x = bad()  # why\n", "x = bad()  # why  # ddl-lint: ignore[one]\n"),
        ("x = bad(\n    1,\n)\n", "x = bad(\n    1,\n)  # ddl-lint: ignore[one]\n"),
        ('x = bad("""\n# no\n""")\n', 'x = bad("""\n# no\n""")  # ddl-lint: ignore[one]\n'),
        ("x = bad() + \\\n    1\n", "x = bad() + \\\n    1  # ddl-lint: ignore[one]\n"),
        ("if bad():\n    pass\n", "if bad():  # ddl-lint: ignore[one]\n    pass\n"),
        ("x = bad()  # ddl-lint: ignore[two] so\n", "x = bad()  # ddl-lint: ignore[two, one] so\n"),
        ("# ddl-lint: ignore[two]\nx = bad()\n", "# ddl-lint: ignore[two, one]\nx = bad()\n"),
        ("x = bad()  # noqa: DDL201\n", "x = bad()  # noqa: DDL201  # ddl-lint: ignore[one]\n"),
        (f"if x:\n    {LONG}, bad\n", f"if x:\n    # ddl-lint: ignore[one]\n    {LONG}, bad\n"),
    ],
)
def test_a_comment_is_put_in(before, after):
    assert ignored(before, ("bad", "one")) == after
    again = document_from_text("a.py", after)
    line, _ = again.position(after.index("bad"))
    assert any(
        comment.start_line <= line <= comment.end_line and "one" in [rule.name for rule in comment.rules]
        for comment in find_suppressions(again).valid
    )


def test_several_findings_of_a_line_share_a_comment():
    assert ignored("x = bad(worse)\n", ("bad", "one"), ("worse", "two"), ("bad", "one")) == (
        "x = bad(worse)  # ddl-lint: ignore[one, two]\n"
    )


@pytest.mark.parametrize(
    ("before", "idle", "after"),
    [
        ("x = 1  # ddl-lint: ignore[one] why\n", ["one"], "x = 1\n"),
        ("x = 1  # ddl-lint: ignore[one, two]\n", ["one", "two"], "x = 1\n"),
        ("x = 1  # ddl-lint: ignore[one, two, three]\n", ["one"], "x = 1  # ddl-lint: ignore[two, three]\n"),
        ("x = 1  # ddl-lint: ignore[one, two, three]\n", ["two"], "x = 1  # ddl-lint: ignore[one, three]\n"),
        ("x = 1  # ddl-lint: ignore[one, two, three]\n", ["three"], "x = 1  # ddl-lint: ignore[one, two]\n"),
        ("x = 1  # ddl-lint: ignore[ one ,two ]\n", ["two"], "x = 1  # ddl-lint: ignore[ one ]\n"),
        ("    # ddl-lint: ignore[one]\r\n    x = 1\r\n", ["one"], "    x = 1\r\n"),
        ("# ddl-lint: ignore-file[one]\nx = 1\n", ["one"], "x = 1\n"),
        ("x = 1  # noqa: E501, DDL201\n", ["DDL201"], "x = 1  # noqa: E501\n"),
        ("x = 1  # noqa: DDL201, E501\n", ["DDL201"], "x = 1  # noqa: E501\n"),
        ("x = 1  # noqa: DDL201\n", ["DDL201"], "x = 1\n"),
        ("x = 1  # ddl-lint: ignore[one]  # type: ignore\n", ["one"], "x = 1  # type: ignore\n"),
        ("x = 1  # type: ignore  # ddl-lint: ignore[one]\n", ["one"], "x = 1  # type: ignore\n"),
    ],
)
def test_names_and_comments_are_taken_away(before, idle, after):
    document = document_from_text("a.py", before)
    (comment,) = find_suppressions(document).valid
    fix = without(document, comment, {rule.span for rule in comment.rules if rule.name in idle})
    assert edited(before, fix.edits) == after
