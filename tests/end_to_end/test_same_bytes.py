"""The same files, the same bytes: whatever the order, the spelling, the number of processes and the state of the cache.

The real command in processes of its own, on a project with many kinds of findings.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import ddl_lint_rules
from tests.children import PATIENCE

pytestmark = pytest.mark.slow

RULE_FOLDERS = sorted(file.parent / "bad" for file in Path(ddl_lint_rules.__file__).parent.glob("*/*/rule.yaml"))[::9]
WORDS = ("check", "--output-format", "json", "--pedantic", "--preview")
FULL = """
import builtins, errno, io, os, sys
real_open = builtins.open
class Full(io.BufferedIOBase):
    def __init__(self, inner): self.inner = inner
    def write(self, data):
        self.inner.write(data[: len(data) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")
    def close(self): self.inner.close()
def open(file, mode="r", *rest, **options):
    stream = real_open(file, mode, *rest, **options)
    return Full(stream) if ("w" in mode or "x" in mode) and "/cache/" in str(file) else stream
builtins.open = open
from ddl_lint.__main__ import main
sys.exit(main())
"""


def lay(folder: Path, *, backwards: bool = False) -> None:
    """Write the project, in one order or the other: a folder lists its files as they came."""
    files = [
        (rule_folder.parent.name, file)
        for rule_folder in RULE_FOLDERS
        for file in rule_folder.rglob("*")
        if file.is_file()
    ]
    for rule_folder, file in sorted(files, reverse=backwards):
        if "__pycache__" in file.parts:
            continue
        target = folder / rule_folder / file.relative_to(file.parents[len(file.parts) - file.parts.index("bad") - 2])
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
    (folder / "ddl-lint.toml").write_text("")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("same") / "project"
    lay(folder)
    return folder


Run = Callable[..., bytes]


@pytest.fixture(scope="module")
def run(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Run the command and return what it prints; each time with another hash seed, unless told otherwise."""
    default = tmp_path_factory.mktemp("other") / "cache"
    seeds = iter(range(1, 10_000))

    def call(*words: str, cache: Path | None = None, start: tuple[str, ...] = ("-m", "ddl_lint")) -> bytes:
        environment = {**os.environ, "DDL_LINT_CACHE_DIR": str(cache or default), "PYTHONHASHSEED": str(next(seeds))}
        line = [sys.executable, *start, *WORDS, *(words or (".",))]
        done = subprocess.run(line, cwd=folder, env=environment, capture_output=True)
        assert done.returncode == 1, done.stderr
        assert b"Traceback" not in done.stderr
        return done.stdout

    return call


@pytest.fixture(scope="module")
def expected(run: Run) -> bytes:
    found = run("--no-cache")
    assert found.count(b'"code"') > 15
    return found


@pytest.fixture
def warm(run: Run, expected: bytes, tmp_path: Path) -> Path:
    """A cache that holds the results."""
    assert run(cache=tmp_path / "cache") == expected
    return tmp_path / "cache"


def test_cold_warm_and_corrupt(run: Run, expected: bytes, warm: Path):
    assert run(cache=warm) == expected
    dice = random.Random(0)
    entries = sorted(path for path in warm.rglob("*") if len(path.name) == 32)
    assert len(entries) > 10
    for entry in entries:
        payload = entry.read_bytes()[16:]
        match dice.randrange(6):
            case 0:
                entry.write_bytes(b"")
            case 1:
                entry.write_bytes(entry.read_bytes()[: dice.randrange(40)])
            case 2:
                entry.write_bytes(os.urandom(100))
            case kind:  # of another make: whole, and nothing that we understand
                other = (payload[: len(payload) // 2], b"\x00" * 40, b"{}")[kind - 3]
                entry.write_bytes(hashlib.blake2b(other, digest_size=16).digest() + other)
    assert run(cache=warm) == expected


@pytest.mark.parametrize("jobs", ["2", *(pytest.param(each, marks=pytest.mark.nightly) for each in ("1", "5"))])
def test_number_of_processes(run: Run, expected: bytes, jobs: str, tmp_path: Path):
    assert run("--jobs", jobs, cache=tmp_path / "cache") == expected


def test_order_of_files(run: Run, expected: bytes, folder: Path):
    shutil.rmtree(folder)
    lay(folder, backwards=True)
    assert run() == expected


def test_spelling_of_paths(run: Run, expected: bytes, folder: Path):
    names = sorted(path.name for path in folder.iterdir())
    for words in ((str(folder),), (f"../{folder.name}/./",), tuple(reversed(names)), (*names, ".", *names)):
        assert run(*words) == expected


def test_two_at_once(folder: Path, expected: bytes, tmp_path: Path):
    environment = {**os.environ, "DDL_LINT_CACHE_DIR": str(tmp_path / "cache")}
    line = [sys.executable, "-m", "ddl_lint", *WORDS, "."]
    both = [subprocess.Popen(line, cwd=folder, env=environment, stdout=subprocess.PIPE) for _ in range(2)]
    assert [process.communicate(timeout=PATIENCE)[0] for process in both] == [expected, expected]


@pytest.mark.parametrize(
    "kind",
    [
        "a file",
        pytest.param("a folder of somebody else", marks=pytest.mark.nightly),
        pytest.param("nothing that can be made", marks=pytest.mark.nightly),
    ],
)
def test_a_cache_that_cannot_be_used(run: Run, expected: bytes, tmp_path: Path, kind: str):
    cache = tmp_path / "cache"
    if kind == "a file":
        cache.write_bytes(b"")
    elif kind == "a folder of somebody else":
        for name in ("reports", "units", "programs", "models", "rules"):
            (cache / name).mkdir(parents=True)
            (cache / name).chmod(0o777)
    else:
        cache = Path("/proc/nothing") if Path("/proc").exists() else tmp_path / "cache" / "\0"
    assert run(cache=cache) == expected


def test_a_full_disk(run: Run, expected: bytes, tmp_path: Path):
    """Half of each entry is written, then no more."""
    assert run(cache=tmp_path / "cache", start=("-c", FULL)) == expected


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """A disk of 100 KB, where this system lets us have one."""
    folder.mkdir()
    line = ["mount", "-t", "tmpfs", "-o", "size=100k", "tmpfs", str(folder)]
    is_there = shutil.which("mount") is not None and subprocess.run(line, capture_output=True).returncode == 0
    try:
        yield is_there
    finally:
        if is_there:
            subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.nightly
def test_a_disk_that_is_really_full(run: Run, expected: bytes, tmp_path: Path):
    with small_disk(tmp_path / "disk") as is_there:
        if not is_there:
            pytest.skip("needs the right to mount")
        assert run(cache=tmp_path / "disk" / "cache") == expected
        assert run(cache=tmp_path / "disk" / "cache") == expected
