"""A rule is put among those that a configuration leaves out: the text around it stays as it is."""

from __future__ import annotations

from textwrap import dedent

import pytest

from ddl_lint.project.config_edit import with_ignored


def changed(before: str, *, in_pyproject: bool) -> str | None:
    return with_ignored(dedent(before), "missing-set-epoch", in_pyproject=in_pyproject)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", 'ignore = ["missing-set-epoch"]\n'),
        ("pedantic = true  # all of it", 'pedantic = true  # all of it\nignore = ["missing-set-epoch"]\n'),
        ("ignore = []\n", 'ignore = ["missing-set-epoch"]\n'),
        ('ignore = ["DDL3"]  # later\n', 'ignore = ["DDL3", "missing-set-epoch"]  # later\n'),
        ("ignore = ['DDL3', ]\n", "ignore = ['DDL3', \"missing-set-epoch\" ]\n"),
        (
            """\
            ignore = [
              "DDL3", # "one, two]"
            ]
            """,
            """\
            ignore = [
              "DDL3", # "one, two]"
              "missing-set-epoch",
            ]
            """,
        ),
        (
            """\
            ignore = [
              "DDL3"  # no comma
            ]
            """,
            """\
            ignore = [
              "DDL3",  # no comma
              "missing-set-epoch"
            ]
            """,
        ),
        (
            """\
            # ignore = ["DDL1"]
            pedantic = true

            # for the tests
            [per-file-ignores]
            ignore = ["DDL4"]
            """,
            """\
            # ignore = ["DDL1"]
            pedantic = true
            ignore = ["missing-set-epoch"]

            # for the tests
            [per-file-ignores]
            ignore = ["DDL4"]
            """,
        ),
    ],
)
def test_our_own_file(before: str, after: str):
    assert changed(before, in_pyproject=False) == dedent(after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[tool.ddl-lint]\nignore = ["missing-set-epoch"]\n'),
        (
            '[project]\nname = "x"  # the name',
            '[project]\nname = "x"  # the name\n\n[tool.ddl-lint]\nignore = ["missing-set-epoch"]\n',
        ),
        (
            """\
            [tool.other]
            ignore = ["E501"]

            [tool.ddl-lint]  # ours
            # strict
            pedantic = true
            """,
            """\
            [tool.other]
            ignore = ["E501"]

            [tool.ddl-lint]  # ours
            ignore = ["missing-set-epoch"]
            # strict
            pedantic = true
            """,
        ),
        (
            """\
            [tool.ddl-lint.severity]
            hang = "error"
            """,
            """\
            [tool.ddl-lint]
            ignore = ["missing-set-epoch"]

            [tool.ddl-lint.severity]
            hang = "error"
            """,
        ),
        (
            '[tool.ruff.lint]\nignore = ["E501"]\n[tool.ddl-lint]\nignore = ["DDL3"]\n',
            '[tool.ruff.lint]\nignore = ["E501"]\n[tool.ddl-lint]\nignore = ["DDL3", "missing-set-epoch"]\n',
        ),
        (
            '[tool]\nddl-lint = { ignore = ["DDL3"] }\n',
            '[tool]\nddl-lint = { ignore = ["DDL3", "missing-set-epoch"] }\n',
        ),
    ],
)
def test_a_table_of_pyproject(before: str, after: str):
    assert changed(before, in_pyproject=True) == dedent(after)


def test_line_ends_stay():
    assert changed('ignore = [\r\n  "DDL3",\r\n]\r\n', in_pyproject=False) == (
        'ignore = [\r\n  "DDL3",\r\n  "missing-set-epoch",\r\n]\r\n'
    )


@pytest.mark.parametrize(
    "text",
    [
        'ignore = ["missing-set-epoch"]\n',  # it is there
        "ignore = [\n",  # no TOML
        "ignore = 3\n",
        "ignore = [" * 5000,
    ],
)
def test_where_there_is_nothing_to_change(text: str):
    assert changed(text, in_pyproject=False) is None


def test_a_table_that_is_written_in_one_line_without_the_list_stays_as_it_is():
    assert changed("[tool]\nddl-lint = { pedantic = true }\n", in_pyproject=True) is None
