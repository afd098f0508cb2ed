"""Comments that silence findings."""

from __future__ import annotations

import pytest

from ddl_lint.source import Document
from ddl_lint.source.suppressions import Scope, Suppression, Suppressions, find_suppressions


def find(text: str) -> Suppressions:
    return find_suppressions(Document("a.py", text))


def only(text: str) -> Suppression:
    found = find(text)
    assert not found.malformed
    (suppression,) = found.valid
    return suppression


def names(suppression: Suppression) -> list[str]:
    return [rule.name for rule in suppression.rules]


def test_at_the_end_of_a_logical_line() -> None:
    text = "a = 1\nb = f(\n    1,\n)  # ddl-lint: ignore[rule-a, DDL201] known to work\nc = 2\n"
    found = only(text)
    assert names(found) == ["rule-a", "DDL201"]
    assert (found.scope, found.start_line, found.end_line) == (Scope.LINE, 2, 4)
    assert found.reason == "known to work"
    assert text[slice(*found.span)] == "# ddl-lint: ignore[rule-a, DDL201] known to work"
    assert [text[slice(*rule.span)] for rule in found.rules] == ["rule-a", "DDL201"]


def test_inside_a_logical_line() -> None:
    found = only("b = f(\n    1,  # ddl-lint: ignore[rule-a]\n    2,\n)\n")
    assert (found.scope, found.start_line, found.end_line) == (Scope.LINE, 1, 4)


def test_above_a_logical_line() -> None:
    found = only("# ddl-lint: ignore[rule-a]\n# more\n\n@deco(\n  1)\ndef f(\n    a):\n    pass\n")
    assert (found.scope, found.start_line, found.end_line) == (Scope.NEXT_LINE, 4, 7)


def test_above_nothing() -> None:
    found = only("x\n# ddl-lint: ignore[rule-a]")
    assert (found.start_line, found.end_line) == (2, 2)


@pytest.mark.parametrize("head", ["", '"""Doc."""\n', "#!/bin/python\n\n'''Long\ndoc'''\n"])
def test_whole_file(head: str) -> None:
    found = only(head + "# ddl-lint: ignore-file[rule-a] generated\nimport os\n")
    assert (found.scope, found.start_line, found.reason) == (Scope.FILE, 1, "generated")


@pytest.mark.parametrize("text", ["import os\n# ddl-lint: ignore-file[a]\n", "x = 1  # ddl-lint: ignore-file[a]\n"])
def test_whole_file_only_at_its_head(text: str) -> None:
    (malformed,) = find(text).malformed
    assert "top of the file" in malformed.message


def test_noqa() -> None:
    assert names(only("x  # noqa: DDL201\n")) == ["DDL201"]
    assert names(only("x  # NOQA:E501,ddl201 DDL3 because\n")) == ["DDL201", "DDL3"]
    assert names(only("x  # noqa\n")) == []
    assert find("x  # noqa: E501\n") == find("# flake8: noqa\n") == Suppressions()


def test_several_in_one_comment() -> None:
    found = find("x  # type: ignore # ddl-lint: ignore[a] why # noqa: DDL1\n").valid
    assert [(names(one), one.reason) for one in found] == [(["a"], "why"), (["DDL1"], "")]


@pytest.mark.parametrize(
    "text",
    [
        's = "# noqa"\n',
        "s = '''\n# ddl-lint: ignore[a]\n'''\n",
        's = f"{x["# noqa"]}"\n',
        's = rb"\\"  # see ddl-lint for this\n'.replace("rb", "b").replace('"\\"', '"\\\\"'),
        "noqa = 1\n",
    ],
)
def test_only_comments_count(text: str) -> None:
    assert find(text) == Suppressions()


@pytest.mark.parametrize(
    ("comment", "part"),
    [
        ("# ddl-lint: ignore", "name the rules"),
        ("# ddl-lint: ignore rule-a", "name the rules"),
        ("# ddl-lint: ignore[]", "empty"),
        ("# ddl-lint: ignore[ , ]", "empty"),
        ("# ddl-lint: ignore[rule-a", "not closed"),
        ("# ddl-lint: ignore[rule a]", "'rule a'"),
        ("# ddl-lint: disable[rule-a]", "'disable'"),
    ],
)
def test_malformed(comment: str, part: str) -> None:
    found = find(f"x = 1  {comment}\n")
    assert not found.valid
    (malformed,) = found.malformed
    assert part in malformed.message
    assert 7 <= malformed.span.start < malformed.span.end <= 7 + len(comment)
