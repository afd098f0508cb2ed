"""Entries on disk: whatever happens to them, a check goes on."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ddl_lint.checked_folders import set_checked
from ddl_lint.storage import Storage, cache_folder, digest, user_storage
from tests.children import PATIENCE

KEY, OTHER = digest("one"), digest("two")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def test_an_entry_is_read_as_it_was_written(folder: Path) -> None:
    Storage(folder).write("programs", KEY, b"content")
    assert Storage(folder).read("programs", KEY) == b"content"
    assert Storage(folder).read("programs", OTHER) is None
    assert Storage(folder).read("reports", KEY) is None


def test_without_a_folder_nothing_is_kept() -> None:
    storage = Storage(None)
    storage.write("programs", KEY, b"content")
    assert storage.read("programs", KEY) is None
    assert storage.clear() == (0, 0)


def test_looking_makes_no_folder(folder: Path) -> None:
    assert Storage(folder).read("programs", KEY) is None
    assert not folder.exists()


@pytest.mark.parametrize("damage", [b"", b"short", b"\0" * 100])
def test_a_damaged_entry_is_none(folder: Path, damage: bytes) -> None:
    storage = Storage(folder)
    storage.write("programs", KEY, b"content")
    (folder / "programs" / KEY).write_bytes(damage)
    assert storage.read("programs", KEY) is None
    storage.write("programs", KEY, b"anew")
    assert storage.read("programs", KEY) == b"anew"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such permissions")
def test_others_cannot_look_into_the_folder(folder: Path) -> None:
    Storage(folder).write("programs", KEY, b"content")
    assert folder.stat().st_mode & 0o777 == (folder / "programs").stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such permissions")
def test_a_folder_that_others_can_write_to_is_not_used(folder: Path) -> None:
    Storage(folder).write("programs", KEY, b"content")
    (folder / "programs").chmod(0o777)
    assert Storage(folder).read("programs", KEY) is None
    Storage(folder).write("programs", OTHER, b"content")
    assert not (folder / "programs" / OTHER).exists()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such permissions")
def test_a_folder_that_is_there_stays_as_it_is(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o775)
    Storage(folder).write("programs", KEY, b"content")
    assert Storage(folder).read("programs", KEY) == b"content"
    assert (folder.stat().st_mode & 0o777, (folder / "programs").stat().st_mode & 0o777) == (0o775, 0o700)


def test_a_file_in_place_of_the_folder_is_no_error(folder: Path) -> None:
    folder.write_text("")
    storage = Storage(folder)
    storage.write("programs", KEY, b"content")
    assert storage.read("programs", KEY) is None
    storage.tidy()
    assert storage.clear() == (0, 0)


def test_what_was_not_used_for_long_is_deleted_first(folder: Path) -> None:
    storage = Storage(folder, limit=1000)
    keys = [digest(str(number)) for number in range(8)]
    for age, key in enumerate(keys):
        storage.write("programs", key, b"x" * 184)
        moment = time.time() - 10_000 * (age + 1)
        os.utime(folder / "programs" / key, (moment, moment))
    assert storage.read("programs", keys[7]) is not None
    storage.tidy()
    left = [key for key in keys if (folder / "programs" / key).exists()]
    assert left == [*keys[:3], keys[7]]


def test_leftovers_of_killed_writers_are_deleted(folder: Path) -> None:
    storage = Storage(folder, limit=1000)
    storage.write("programs", KEY, b"x" * 900)
    old, new = (folder / "programs" / f"{OTHER}.{'0' * 15}{number}.tmp" for number in (1, 2))
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (0, 0))
    storage.tidy()
    assert not old.exists() and new.exists()


def test_only_what_we_wrote_is_deleted(folder: Path) -> None:
    storage = Storage(folder)
    storage.write("programs", KEY, b"content")
    for mine in (folder / "notes.txt", folder / "programs" / "notes.txt"):
        mine.write_text("mine")
    assert storage.clear().entries == 1
    assert sorted(path.name for path in folder.rglob("*.*")) == ["notes.txt", "notes.txt"]


def test_nothing_is_left_of_a_cleared_folder(folder: Path) -> None:
    storage = Storage(folder)
    storage.write("programs", KEY, b"x" * 100)
    storage.write("reports", OTHER, b"x" * 100)
    storage.tidy()
    entries, size = storage.clear()
    assert entries == 2 and size >= 200
    assert not folder.exists()


def test_many_processes_may_write_at_once(folder: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from ddl_lint.storage import Storage, digest\n"
        f"storage = Storage(Path({str(folder)!r}), limit=2000)\n"
        "for turn in range(200):\n"
        "    for number in range(5):\n"
        "        key = digest(str(number))\n"
        "        assert storage.read('programs', key) in (None, key.encode() * 20)\n"
        "        storage.write('programs', key, key.encode() * 20)\n"
        "    storage.tidy()\n"
    )
    processes = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(3)]
    assert [process.wait(PATIENCE) for process in processes] == [0, 0, 0]


def test_where_the_folder_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "inside").mkdir()
    monkeypatch.chdir(tmp_path / "inside")
    for given in (str(tmp_path / "cache"), "../cache"):
        monkeypatch.setenv("DDL_LINT_CACHE_DIR", given)
        assert cache_folder() == tmp_path / "cache"


@pytest.mark.parametrize("way", ["below", "link in", "link out", "relative"])
def test_a_folder_in_what_is_checked_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside"
    for each in (project, outside):
        each.mkdir()
    given = project / "cache"
    if way == "link in":
        given = outside / "link"
        given.symlink_to(project)
    elif way == "link out":
        given = project / "link"
        given.symlink_to(outside)
    elif way == "relative":
        monkeypatch.chdir(project)
        given = Path("cache")
    set_checked([] if way == "relative" else [project])
    assert user_storage(given).folder is None
    monkeypatch.setenv("DDL_LINT_CACHE_DIR", str(given))
    assert cache_folder() is None and user_storage().folder is None
    set_checked([])
    assert (user_storage(given).folder is None) == (way == "relative")


def test_a_link_in_place_of_a_kind_is_not_used(folder: Path, tmp_path: Path) -> None:
    Storage(tmp_path / "other").write("programs", KEY, b"content")
    Storage(folder).write("reports", KEY, b"content")
    (folder / "programs").symlink_to(tmp_path / "other" / "programs")
    assert Storage(folder).read("programs", KEY) is None
    Storage(folder).write("programs", OTHER, b"content")
    assert not (tmp_path / "other" / "programs" / OTHER).exists()


def test_an_entry_counts_under_its_own_name_only(folder: Path) -> None:
    Storage(folder).write("programs", KEY, b"content")
    (folder / "programs" / KEY).rename(folder / "programs" / OTHER)
    assert Storage(folder).read("programs", OTHER) is None


def test_with_a_key_entries_of_others_are_none(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Storage(folder).write("programs", KEY, b"forged")
    monkeypatch.setenv("DDL_LINT_CACHE_KEY", "a secret")
    assert Storage(folder).read("programs", KEY) is None
    Storage(folder).write("programs", KEY, b"content")
    assert Storage(folder).read("programs", KEY) == b"content"
    monkeypatch.setenv("DDL_LINT_CACHE_KEY", "another")
    assert Storage(folder).read("programs", KEY) is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")
def test_a_pipe_in_place_of_an_entry_is_none(folder: Path) -> None:
    Storage(folder).write("programs", OTHER, b"content")
    os.mkfifo(folder / "programs" / KEY)
    assert Storage(folder).read("programs", KEY) is None


@pytest.mark.parametrize("tag", [None, "", "Signature: 8a477f597d28d172789f06886806bc55\n# of another program\n"])
def test_a_folder_that_is_no_cache_of_ours_is_not_cleared(folder: Path, tag: str | None) -> None:
    (folder / "programs").mkdir(parents=True)
    (folder / "programs" / KEY).write_text("mine")
    if tag is not None:
        (folder / "CACHEDIR.TAG").write_text(tag)
    assert Storage(folder).clear() == (0, 0)
    assert (folder / "programs" / KEY).exists()


def test_folders_of_others_in_a_cache_are_not_cleared(folder: Path) -> None:
    Storage(folder).write("programs", KEY, b"content")
    (folder / "mine").mkdir()
    (folder / "mine" / KEY).write_text("mine")
    assert Storage(folder).clear().entries == 1
    assert (folder / "mine" / KEY).exists()


def test_a_folder_with_something_in_it_gets_no_tag(folder: Path) -> None:
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")  # a tag would keep it from being backed up
    Storage(folder).write("programs", KEY, b"content")
    assert Storage(folder).read("programs", KEY) == b"content"
    assert not (folder / "CACHEDIR.TAG").exists()
