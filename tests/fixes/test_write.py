"""Writing: all or nothing, and never over somebody else's work, even if the process is killed or the disk is full.

Each file operation of the code under test goes through `Operations`, which lets it fail, or ends the process, at the
n-th one. So there is no clock: all moments between two operations are tried, one after the other.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from ddl_lint import checked_folders, ending
from ddl_lint.fixes import journal, left_over, replacement, write
from ddl_lint.fixes.journal import settle_interrupted
from ddl_lint.fixes.write import Change, WriteError, write_all

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="permissions and links of POSIX")
FORKS = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that begin as a copy of this one")
ROOT = os.name == "posix" and os.geteuid() == 0


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where journals lie. They may be obeyed in the project."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    checked_folders.set_checked([tmp_path / "project"])
    return tmp_path / "state" / "ddl-lint"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the files lie."""
    (tmp_path / "project" / "package").mkdir(parents=True)
    return tmp_path / "project"


BEFORE = {"a.py": b"x = 1\r\n", "package/b.py": b"\xef\xbb\xbfy = 1\n", "c.ipynb": b"{}"}
AFTER = {"a.py": b"x = 22\r\n", "package/b.py": b"\xef\xbb\xbfy = 2\nz = 3\n", "c.ipynb": b'{"cells": []}'}


def lay(folder: Path, contents: Mapping[str, bytes] = BEFORE) -> None:
    for name, content in contents.items():
        (folder / name).write_bytes(content)


def contents(folder: Path) -> dict[str, bytes]:
    """All that is in a folder, leftovers as well."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def changes(folder: Path) -> dict[str, Change]:
    return {str(folder / name): Change(BEFORE[name], AFTER[name]) for name in BEFORE}


# --- what is kept -----------------------------------------------------------------------------------------------------


def test_new_contents(folder: Path):
    lay(folder)
    write_all(changes(folder), [folder])
    assert contents(folder) == AFTER
    assert settle_interrupted() == []


def test_a_file_that_was_changed_meanwhile_is_left_alone_and_so_are_the_others(folder: Path):
    lay(folder, {**BEFORE, "c.ipynb": b"edited by hand"})
    with pytest.raises(WriteError, match=r"c\.ipynb: was changed by another program meanwhile"):
        write_all(changes(folder))
    assert contents(folder) == {**BEFORE, "c.ipynb": b"edited by hand"}


def test_a_file_that_is_gone(folder: Path):
    with pytest.raises(WriteError, match="cannot be written"):
        write_all({str(folder / "a.py"): Change(b"", b"x")})


@POSIX
def test_permissions_are_kept_and_links_are_followed(folder: Path):
    file, link = folder / "run.py", folder / "link.py"
    file.write_bytes(b"1")
    file.chmod(0o750)
    link.symlink_to(file)
    write_all({str(link): Change(b"1", b"2")}, [folder])
    assert link.is_symlink()
    assert file.read_bytes() == b"2"
    assert file.stat().st_mode & 0o7777 == 0o750


@POSIX
@pytest.mark.parametrize("through", ["link.py", "linked/a.py"])
def test_links_are_not_followed_out_of_the_project(folder: Path, tmp_path: Path, through: str):
    outside = tmp_path / "outside"
    outside.mkdir()
    lay(outside, {"a.py": b"1"})
    (folder / "link.py").symlink_to(outside / "a.py")
    (folder / "linked").symlink_to(outside)
    with pytest.raises(WriteError, match=r"leads to .*, which is not in the project"):
        write_all({str(folder / through): Change(b"1", b"2")}, [folder])
    assert contents(outside) == {"a.py": b"1"}


@POSIX
def test_hard_links_are_not_parted(folder: Path):
    lay(folder)
    os.link(folder / "a.py", folder / "same.py")
    with pytest.raises(WriteError, match=r"a\.py: is a hard link"):
        write_all(changes(folder))
    assert contents(folder) == {**BEFORE, "same.py": BEFORE["a.py"]}


@POSIX
@pytest.mark.skipif(ROOT, reason="root may write everything")
def test_a_read_only_file_is_not_written(folder: Path):
    lay(folder)
    (folder / "a.py").chmod(0o444)
    with pytest.raises(WriteError, match="is read-only"):
        write_all(changes(folder))
    assert contents(folder) == BEFORE


@POSIX
@pytest.mark.skipif(not ROOT, reason="only root gives files to others")
def test_the_owner_is_kept(folder: Path):
    lay(folder)
    os.chown(folder / "a.py", 12345, 23456)
    (folder / "a.py").chmod(0o2755)
    write_all(changes(folder))
    status = (folder / "a.py").stat()
    assert (status.st_uid, status.st_gid, status.st_mode & 0o7777) == (12345, 23456, 0o2755)


@POSIX
def test_an_owner_that_cannot_be_kept_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch):
    lay(folder)
    if ROOT:
        os.chown(folder / "a.py", 12345, -1)

        def refuse(*_: object) -> None:
            raise PermissionError(errno.EPERM, "Operation not permitted")

        monkeypatch.setattr(os, "fchown", refuse)
        with pytest.raises(WriteError, match="belongs to another user"):
            write_all(changes(folder))
        assert contents(folder) == BEFORE


@pytest.mark.skipif(sys.platform != "linux", reason="extended attributes")
def test_attributes_are_kept(folder: Path):
    lay(folder)
    try:
        os.setxattr(folder / "a.py", "user.note", b"mine")
    except OSError:
        pytest.skip("this file system has no attributes")
    write_all(changes(folder))
    assert os.getxattr(folder / "a.py", "user.note") == b"mine"


# --- the journal ------------------------------------------------------------------------------------------------------


def plant(place: Path, step: journal.Step) -> None:
    """A journal that says that a step was committed."""
    forged = journal.Journal(place, -1)
    forged.begin([step])
    forged.commit()


def a_step(folder: Path, name: str = "a.py") -> journal.Step:
    """The replacement of a file, whose new content lies beside it."""
    target, temporary = folder / name, folder / ".ddl-lint-0123456789abcdef.tmp"
    temporary.write_bytes(AFTER["a.py"])
    return journal.Step(str(target), str(temporary), target.read_bytes(), journal.digest(AFTER["a.py"]))


@POSIX
@pytest.mark.parametrize("variable", ["XDG_STATE_HOME", "HOME", "TMPDIR", "DDL_LINT_CACHE_DIR", "XDG_CACHE_HOME"])
@pytest.mark.parametrize("way", ["real", "link in", "link out"])
def test_a_journal_in_what_is_checked_changes_nothing(
    folder: Path, state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, way: str
):
    """Wherever the environment points, and whatever links there are: its folders may have come with the project."""
    lay(folder)
    outside = tmp_path / "outside"
    outside.mkdir()
    here = folder / "here"
    if way == "link out":
        here.symlink_to(outside)
    else:
        here.mkdir()
    given = here
    if way == "link in":
        given = tmp_path / "given"
        given.symlink_to(here)
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv(variable, str(given))
    step = a_step(folder)
    inside = ("", "ddl-lint", ".local/state/ddl-lint", ".cache/ddl-lint", f"ddl-lint-{os.getuid()}")
    for name in inside:
        (here / name / "changes").mkdir(parents=True, exist_ok=True, mode=0o700)
        plant(here / name / "changes", step)
    for each in (here, *here.rglob("*")):
        if each.is_dir():
            each.chmod(0o700)
    assert settle_interrupted() == []
    assert (folder / "a.py").read_bytes() == BEFORE["a.py"]
    write_all({str(folder / "c.ipynb"): Change(BEFORE["c.ipynb"], AFTER["c.ipynb"])}, [folder])
    assert (folder / "a.py").read_bytes() == BEFORE["a.py"]


def test_a_journal_about_files_that_are_not_checked_is_left_to_who_checks_them(folder: Path, state: Path):
    lay(folder)
    (state / "changes").mkdir(parents=True, mode=0o700)
    state.chmod(0o700)
    plant(state / "changes", a_step(folder))
    checked_folders.set_checked([folder / "package"])
    assert settle_interrupted() == []
    write_all({str(folder / "package" / "b.py"): Change(BEFORE["package/b.py"], AFTER["package/b.py"])})
    assert (folder / "a.py").read_bytes() == BEFORE["a.py"]
    checked_folders.set_checked([folder])
    assert [outcome.is_done for outcome in settle_interrupted()] == [True]
    assert (folder / "a.py").read_bytes() == AFTER["a.py"]


@POSIX
def test_a_journal_reaches_nothing_outside_through_a_link(folder: Path, state: Path, tmp_path: Path):
    outside = tmp_path / "outside"
    outside.mkdir()
    lay(outside, {"a.py": b"mine"})
    (folder / "linked").symlink_to(outside)
    (state / "changes").mkdir(parents=True, mode=0o700)
    state.chmod(0o700)
    step = a_step(outside)
    temporary = str(folder / "linked" / Path(step.temporary).name)
    plant(state / "changes", step._replace(target=str(folder / "linked" / "a.py"), temporary=temporary))
    plant(state / "changes", step._replace(target=str(folder / "a.py")))
    settle_interrupted()
    assert contents(outside) == {"a.py": b"mine", Path(temporary).name: AFTER["a.py"]}


@POSIX
def test_nothing_is_written_without_a_journal(
    folder: Path, state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    lay(folder)
    monkeypatch.setattr(left_over, "_LAST_RESORT", str(tmp_path / "temporary"))
    for place in (state.parent, tmp_path / "temporary"):
        place.write_bytes(b"no folder")
    with pytest.raises(WriteError, match="there is no place for a journal"):
        write_all(changes(folder))
    assert contents(folder) == BEFORE


@POSIX
def test_a_folder_that_others_can_write_to_holds_no_journal(folder: Path, state: Path, tmp_path: Path):
    lay(folder)
    (state / "changes").mkdir(parents=True)
    (state / "changes").chmod(0o777)
    write_all(changes(folder))
    assert contents(folder) == AFTER
    assert not [*(state / "changes").iterdir()]
    assert [*(tmp_path / "temporary").iterdir()]  # the second place


@POSIX
@pytest.mark.parametrize("planted", ["folder", "link", "inner link"])
def test_a_journal_that_another_user_can_have_written_changes_nothing(folder: Path, tmp_path: Path, planted: str):
    lay(folder)
    target, temporary = folder / "a.py", folder / ".ddl-lint-0123456789abcdef.tmp"
    temporary.write_bytes(AFTER["a.py"])
    place = tmp_path / "temporary" / f"ddl-lint-{os.getuid()}"
    where = place if planted == "folder" else tmp_path / "elsewhere"
    (where / "changes").mkdir(parents=True, mode=0o700)
    where.chmod(0o777 if planted == "folder" else 0o700)
    if planted == "link":
        place.parent.mkdir()
        place.symlink_to(where)
    elif planted == "inner link":
        place.mkdir(parents=True, mode=0o700)
        (place / "changes").symlink_to(where / "changes")
    step = journal.Step(str(target), str(temporary), BEFORE["a.py"], journal.digest(AFTER["a.py"]))
    plant(where / "changes", step)
    assert not settle_interrupted()
    assert target.read_bytes() == BEFORE["a.py"]
    assert temporary.exists()


@pytest.mark.parametrize("text", [b"", b"[", b"[1]", b'[{"target": "/etc/passwd"}]', b"null"])
@pytest.mark.parametrize("how", ["begun", "ready", "undoing"])
def test_a_damaged_journal_changes_nothing(folder: Path, state: Path, text: bytes, how: str):
    lay(folder)
    (state / "changes").mkdir(parents=True, mode=0o700)
    (state / "changes" / f"one.{how}").write_bytes(text)
    settle_interrupted()
    assert contents(folder) == BEFORE
    write_all(changes(folder))
    assert contents(folder) == AFTER


# --- the end at any moment --------------------------------------------------------------------------------------------


class Operations:
    """The module `os`, and `open`, whose n-th change of a file does not come about."""

    CHANGES = frozenset(
        {"open", "write", "fsync", "replace", "unlink", "fchmod", "chmod", "fchown", "setxattr", "close", "mkdir"}
    )

    def __init__(self, fails: int, fault: Callable[[], None]) -> None:
        self._fails = fails
        self._fault = fault
        self.count = 0

    def __getattr__(self, name: str) -> Any:
        really = getattr(os, name)
        if name not in self.CHANGES:
            return really

        def call(*arguments: Any, **options: Any) -> Any:
            if self.is_due() and name == "write":  # half of it is on the disk
                really(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
            if self.count == self._fails:
                self._fault()
            return really(*arguments, **options)

        return call

    def is_due(self) -> bool:
        self.count += 1
        return self.count == self._fails

    def opened(self, path: Any, mode: str = "r", **options: Any) -> Any:
        if "w" in mode and self.is_due():
            self._fault()
        return open(path, mode, **options)


def install(fails: int, fault: Callable[[], None]) -> Operations:
    """Put faults into the code under test; for a process that is not used for anything else."""
    operations = Operations(fails, fault)
    for module in (journal, replacement, write):
        vars(module)["os"] = operations
        vars(module)["open"] = operations.opened
    return operations


def die() -> None:
    os._exit(9)


def in_a_copy(work: Callable[[], None]) -> int:
    """Do something in a copy of this process; returns its exit code."""
    pid = os.fork()
    if not pid:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def killed_at(number: int, work: Callable[[], Any]) -> bool:
    """Whether a copy of this process that does something was killed at its n-th file operation."""

    def run() -> None:
        install(number, die)
        work()

    code = in_a_copy(run)
    assert code in (0, 9)
    return code == 9


def each_moment(work: Callable[[], Any], first: int = 1) -> Iterator[int]:
    """Kill at the first operation, the second, and so on until there are none left. The caller lays the files anew."""
    number = first
    while killed_at(number, work):
        yield number
        number += 1


@FORKS
def test_killed_at_each_operation(folder: Path):
    lay(folder)
    finished = undone = 0
    for _ in each_moment(lambda: write_all(changes(folder))):
        # Each file by itself is never anything but old or new.
        for name, content in contents(folder).items():
            if name in BEFORE:
                assert content in (BEFORE[name], AFTER[name])
        settle_interrupted()
        assert contents(folder) in (BEFORE, AFTER)
        finished += contents(folder) == AFTER
        undone += contents(folder) == BEFORE
        assert settle_interrupted() == []
        lay(folder)
    assert finished > 5 and undone > 20  # both come about


@FORKS
@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.nightly)])
def test_killed_again_while_the_next_run_settles(folder: Path, step: int):
    lay(folder)
    kills = 0
    for number in range(1, 200, step):
        lay(folder)
        if not killed_at(number, lambda: write_all(changes(folder))):
            break
        for _ in range(100):  # each attempt is killed at its first, second, third … operation
            kills += 1
            if not killed_at(1 + kills % 7, settle_interrupted):
                break
        settle_interrupted()
        assert contents(folder) in (BEFORE, AFTER)
    assert kills > 10
    assert settle_interrupted() == []


def full() -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@FORKS
def test_an_operation_fails(folder: Path):
    """Each one, as on a full disk: all or nothing, in the same run, and it is said."""
    lay(folder)
    failures = 0
    for number in range(1, 200):

        def run(number: int = number) -> None:
            operations = install(number, full)
            try:
                write_all(changes(folder))
            except WriteError as error:
                os._exit(10 if "No space left on device" in str(error) else 12)
            os._exit(0 if operations.count >= number else 11)

        code = in_a_copy(run)
        settle_interrupted()
        assert code in (0, 10, 11)
        assert contents(folder) == (BEFORE if code == 10 else AFTER)
        failures += code == 10
        if code == 11:
            break
        lay(folder)
    assert failures > 20


@FORKS
def test_one_file_that_cannot_be_replaced(folder: Path):
    lay(folder)

    def run() -> None:
        really = os.replace

        def replace(source: str, target: str) -> None:
            if str(target).endswith("c.ipynb"):
                raise PermissionError(errno.EACCES, "Permission denied", source, None, target)
            really(source, target)

        os.replace = replace
        with pytest.raises(WriteError, match=r"no file was changed: .*c\.ipynb cannot be written: Permission denied"):
            write_all(changes(folder))

    assert in_a_copy(run) == 0
    assert contents(folder) == BEFORE
    assert settle_interrupted() == []


@FORKS
def test_somebody_edits_a_file_before_the_next_run(folder: Path):
    for number in range(1, 200):
        lay(folder)
        if not killed_at(number, lambda: write_all(changes(folder))):
            break
        (folder / "package" / "b.py").write_bytes(b"mine\n")
        told = [reason for outcome in settle_interrupted() for reason in outcome.left]
        assert all("b.py was changed by another program" in reason for reason in told)
        now = contents(folder)
        assert now.pop("package/b.py") == b"mine\n"
        assert now in [{name: side[name] for name in ("a.py", "c.ipynb")} for side in (BEFORE, AFTER)]


@FORKS
def test_somebody_ends_the_program(folder: Path):
    """Ctrl-C and SIGTERM are not kills: nothing is left for the next run."""
    for number in range(1, 200):
        lay(folder)

        def run(number: int = number) -> None:
            def end() -> None:
                for module in (journal, replacement, write):
                    vars(module)["os"], vars(module)["open"] = os, open
                ending.leave(9)

            install(number, end)
            write_all(changes(folder))

        code = in_a_copy(run)
        assert contents(folder) in (BEFORE, AFTER)
        assert settle_interrupted() == []
        if code == 0:
            break


@FORKS
def test_runs_at_the_same_time(folder: Path):
    """Each waits for the others; nothing that one has begun is settled by another."""
    lay(folder, {f"{number}.py": b"0" for number in range(6)})
    children: list[int] = []
    for number in range(6):
        pid = os.fork()
        if not pid:
            write_all({str(folder / f"{number}.py"): Change(b"0", b"1")})
            settle_interrupted()
            os._exit(0)
        children.append(pid)
    assert [os.waitpid(pid, 0)[1] for pid in children] == [0] * 6
    assert contents(folder) == {f"{number}.py": b"1" for number in range(6)}
