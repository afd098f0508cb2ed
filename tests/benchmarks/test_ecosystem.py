"""The record of what is found in public repositories."""

from __future__ import annotations

from pathlib import Path

from benchmarks.checkouts import pinned
from benchmarks.ecosystem import REPOSITORIES, Found, checked, difference, read, write

ONE = Found("a/b", "train.py", 3, "DDL201", "error", "00000000")


def test_sixty_repositories_are_pinned():
    found = {line["repository"]: line["commit"] for line in pinned(REPOSITORIES)}
    assert len(found) == 60
    assert all("/" in name and len(commit) == 40 for name, commit in found.items())


def test_a_result_is_read_as_it_was_written(tmp_path: Path):
    found = [ONE._replace(line=9), ONE, Found("c/d", "", 0, "", "", "")]
    write(found, tmp_path / "one")
    write(reversed(found), tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert read(tmp_path / "one") == sorted(found)


def test_what_comes_and_goes():
    old = [ONE, ONE._replace(line=5), ONE._replace(line=7), ONE._replace(repository="only/old")]
    new = [ONE, ONE._replace(line=6), ONE._replace(line=7, said="11111111"), ONE._replace(repository="only/new")]
    assert [*difference(old, new)] == [
        "- a/b train.py:5 DDL201",
        "+ a/b train.py:6 DDL201",
        "~ a/b train.py:7 DDL201",
        "DDL201: +1, -1, ~1",
        "1 repositories, 3 findings before and 3 after",
    ]
    none = [Found("a/b", "", 0, "", "", "")]
    assert [*difference(none, [ONE])][-1] == "1 repositories, 0 findings before and 1 after"
    assert [*difference(none, none)] == ["1 repositories, 0 findings before and 0 after"]
    assert [*difference(old, old)] == ["2 repositories, 4 findings before and 4 after"]


def test_findings_of_a_check_out(tmp_path: Path):
    (tmp_path / "ddl_lint").mkdir()
    (tmp_path / "ddl_lint" / "__init__.py").write_text("raise SystemExit(9)\n")  # is not imported
    (tmp_path / "train.py").write_text("import torch.distributed as dist\n\ndist.barrier()\n")
    assert [(each.file, each.line, each.code) for each in checked(tmp_path, "a/b")] == [("train.py", 3, "DDL201")]
