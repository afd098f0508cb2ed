"""Writing: all or nothing, and never over somebody else's work."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from ddl_lint.fixes.write import Change, WriteError, write_all

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="permissions and links of POSIX")


def leftovers(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name.startswith(".ddl-lint"))


def test_new_contents(tmp_path):
    file = tmp_path / "a.py"
    file.write_bytes(b"x = 1\r\n")
    write_all({str(file): Change(b"x = 1\r\n", b"x = 2\r\n")})
    assert file.read_bytes() == b"x = 2\r\n"
    assert not leftovers(tmp_path)


def test_a_file_that_was_changed_meanwhile_is_left_alone_and_so_are_the_others(tmp_path):
    first, second = tmp_path / "a.py", tmp_path / "b.py"
    first.write_bytes(b"a")
    second.write_bytes(b"edited by hand")
    with pytest.raises(WriteError, match=r"b\.py: was changed by another program meanwhile"):
        write_all({str(first): Change(b"a", b"A"), str(second): Change(b"b", b"B")})
    assert first.read_bytes() == b"a"
    assert second.read_bytes() == b"edited by hand"
    assert not leftovers(tmp_path)


def test_a_file_that_is_gone(tmp_path):
    with pytest.raises(WriteError, match="cannot be written"):
        write_all({str(tmp_path / "a.py"): Change(b"", b"x")})


@POSIX
def test_permissions_are_kept_and_links_are_followed(tmp_path):
    file, link = tmp_path / "run.py", tmp_path / "link.py"
    file.write_bytes(b"1")
    file.chmod(0o750)
    link.symlink_to(file)
    write_all({str(link): Change(b"1", b"2")})
    assert link.is_symlink()
    assert file.read_bytes() == b"2"
    assert file.stat().st_mode & 0o777 == 0o750


@POSIX
@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root may write everything")
def test_a_read_only_file_is_not_written(tmp_path):
    file = tmp_path / "a.py"
    file.write_bytes(b"1")
    file.chmod(0o444)
    with pytest.raises(WriteError, match="is read-only"):
        write_all({str(file): Change(b"1", b"2")})
    assert file.read_bytes() == b"1"
