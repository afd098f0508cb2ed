"""Suppression comments: where they are put, and what is left of them when they are not needed."""

from __future__ import annotations

import pytest

from ddl_lint.fixes.apply import edited
from ddl_lint.fixes.ignore import ignoring, ignoring_everywhere, without
from ddl_lint.source import Document, document_from_text
from ddl_lint.source.suppressions import Scope, find_suppressions

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


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("run.sh", "#!/bin/bash\nbad x\n", "#!/bin/bash\n{}bad x\n"),
        ("run.sh", "a \\\n  bad \\\n  c\n", "{}a \\\n  bad \\\n  c\n"),
        ("run.sh", 'A="\n  --bad 1\n"\n', '{}A="\n  --bad 1\n"\n'),
        ("run.sh", "# don't\ncat <<EOF\nbad\nEOF\nx\n", "# don't\n{}cat <<EOF\nbad\nEOF\nx\n"),
        ("run.sh", "echo it's\nbad\n", "echo it's\n{}bad\n"),
        ("run.sh", "if x; then\n  bad\nfi\n", "if x; then\n  {}bad\nfi\n"),
        ("job.sbatch", "#!/bin/bash\n#SBATCH --bad\nx\n", "#!/bin/bash\n{}#SBATCH --bad\nx\n"),
        ("Makefile", "x:\n\tbad \\\n\t  y\n", "x:\n\t{}bad \\\n\t  y\n"),
        ("Dockerfile", "FROM a\r\nENV bad=1\r\n", "FROM a\r\n{}ENV bad=1\r\n"),
        ("job.yaml", "a:\n  - it's\n  - bad\n", "a:\n  - it's\n  {}- bad\n"),
        ("ds.json", '{"bad": 1}\n', '{"bad": 1}\n'),
    ],
)
def test_a_comment_is_put_above_an_entry_of_another_file(name: str, before: str, after: str):
    document = Document(name, before, "text")
    edits = ignoring(document, [(before.index("bad"), "one"), (before.index("bad"), "two")])
    comment = f"# ddl-lint: ignore[one, two]{document.newline}"
    indent = after.partition("{}")[0].rpartition("\n")[2]
    silenced = edited(before, edits)
    assert silenced == after.replace("{}", comment + indent)
    again = Document(name, silenced, "text")
    line, _ = again.position(silenced.index("bad"))
    covered = [each.start_line <= line <= each.end_line for each in find_suppressions(again).valid]
    assert covered == [True] * len(edits)
    assert edited(silenced, ignoring(again, [(silenced.index("bad"), "three")])) == silenced.replace(
        "two]", "two, three]"
    )


def test_a_comment_behind_a_directive_is_about_its_line():
    document = Document("job.sbatch", "#SBATCH --bad  # ddl-lint: ignore[one]\n#SBATCH --good\nx\n", "text")
    (comment,) = find_suppressions(document).valid
    assert (comment.start_line, comment.end_line) == (1, 1)


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


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import os\n", "# ddl-lint: ignore-file[two]\nimport os\n"),
        ("", "# ddl-lint: ignore-file[two]\n"),
        ('"""Doc."""\nx = 1\n', '# ddl-lint: ignore-file[two]\n"""Doc."""\nx = 1\n'),
        (
            "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\nx = 1\n",
            "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n# ddl-lint: ignore-file[two]\nx = 1\n",
        ),
        ("#!/usr/bin/env python", "#!/usr/bin/env python\n# ddl-lint: ignore-file[two]\n"),
        ("# ddl-lint: ignore-file[one] why\nx = 1\n", "# ddl-lint: ignore-file[one, two] why\nx = 1\n"),
        ("x = 1\r\n", "# ddl-lint: ignore-file[two]\r\nx = 1\r\n"),
    ],
)
def test_a_comment_for_the_whole_file(before: str, after: str):
    document = document_from_text("a.py", before)
    assert edited(before, ignoring_everywhere(document, ["two"])) == after
    again = find_suppressions(document_from_text("a.py", after))
    assert not again.malformed and [each.scope for each in again.valid] == [Scope.FILE]


def test_no_comment_for_the_whole_file_where_there_are_none():
    assert ignoring_everywhere(Document("ds.json", "{}", "text"), ["two"]) == []
