"""Who owns the files of a repository."""

from __future__ import annotations

import pytest

from ddl_lint.project.owners import owners_of


@pytest.mark.parametrize(
    ("text", "file", "expected"),
    [
        ("* @all\n", "a/b.py", ("@all",)),
        ("* @all\n/src/ @src x@acme.example # why\n", "src/a.py", ("@src", "x@acme.example")),
        ("/src/ @src\n* @all\n", "src/a.py", ("@all",)),
        ("* @all\n/src/gen/\n", "src/gen/a.py", ()),
        ("# * @all\n\n*.py @py\n", "a.sh", ()),
        ("[Net][2] @net @core\n/net/\n/doc/ @doc\n", "net/a.py", ("@net", "@core")),
        ("my\\ dir/ @a\n", "my dir/b.py", ("@a",)),
        ("a[ @a\n* @all\n", "a.py", ("@all",)),
    ],
)
def test_the_last_line_that_matches_counts(tmp_path, text, file, expected):
    (tmp_path / ".github").mkdir()
    (tmp_path / ".github" / "CODEOWNERS").write_text(text, encoding="utf-8")
    (tmp_path / "CODEOWNERS").write_text("* @second-place\n", encoding="utf-8")
    assert owners_of(tmp_path).of(tmp_path / file) == expected


def test_without_a_file_nothing_is_owned(tmp_path):
    assert owners_of(tmp_path).of(tmp_path / "a.py") == ()
    assert owners_of(tmp_path).of(tmp_path.parent / "a.py") == ()
