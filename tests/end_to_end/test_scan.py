"""Many repositories, one report."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import threading
import time
from pathlib import Path

import pytest

from ddl_lint import processes
from ddl_lint.check import scan_workers
from ddl_lint.check.configuration import Configuration
from ddl_lint.check.scanning import Scan

pytestmark = pytest.mark.slow

VENDORED = """\
import torch
import torch.distributed as dist


def save(model):
    if dist.get_rank() == 0:
        dist.barrier()
"""
TRAIN = """\
import torch
import torch.distributed as dist
from common import comm

dist.init_process_group("nccl")
if dist.get_rank() == 0:
    dist.all_reduce(torch.ones(NUMBER))
"""


@pytest.fixture
def repositories(project):
    """Three repositories, two of which have a copy of the same library, and a list of them."""
    files = {f"{name}/train.py": TRAIN.replace("NUMBER", str(number)) for number, name in enumerate("abc")}
    files |= {f"{name}/pyproject.toml": "[project]\nname = 'x'\n" for name in "abc"}
    files |= {f"{name}/common/comm.py": VENDORED for name in "ab"}
    files |= {f"{name}/common/__init__.py": "" for name in "ab"}
    return project({**files, "list.txt": "# all\na\nb  # two\n\n./c\na\n"})


def found(result) -> list[object]:
    """The findings alone: the rows of the repositories tell of the scan before."""
    return json.loads(result.out)["diagnostics"]


def places(result) -> list[str]:
    return [f"{each['file']}:{each['range']['start']['line']}" for each in json.loads(result.out)["diagnostics"]]


def test_one_report_over_all(repositories, run):
    result = run("scan", "list.txt", "--output-format", "json", "-j", "2")
    assert result.code == 1
    assert result.err == "3 repositories: 0 done before, 3 to check\n"
    single = [place for name in "abc" for place in places(run("check", name, "--output-format", "json"))]
    assert places(result) == [place for place in single if place != "b/common/comm.py:7"]
    [copied] = [each for each in json.loads(result.out)["diagnostics"] if each["file"] == "a/common/comm.py"]
    assert copied["related"][-1]["message"] == "the same file is in b/common/comm.py"


def test_it_goes_on_where_it_stopped(repositories, run):
    first = run("scan", "list.txt", "--output-format", "json")
    again = run("scan", "list.txt", "--output-format", "json")
    assert (again.code, found(again)) == (first.code, found(first))
    assert again.err == "3 repositories: 3 done before, 0 to check\n"
    Path("b/train.py").write_text("x = 1\n", encoding="utf-8")
    changed = run("scan", "list.txt", "--output-format", "json")
    assert changed.err.startswith("3 repositories: 2 done before, 1 to check\n")
    assert not [place for place in places(changed) if place.startswith("b/train.py")]
    assert run("scan", "list.txt", "--select", "DDL305").err == "3 repositories: 0 done before, 3 to check\n"


@pytest.mark.parametrize("file", ["b/ddl-lint.toml", "b/below/ddl-lint.toml", "b/requirements.txt", "b/common/new.py"])
def test_what_a_repository_says_besides_its_files_counts(repositories, run, file):
    Path("b/below").mkdir()
    Path("b/below/train.py").write_text(
        TRAIN.replace("from common import comm\n", "").replace("NUMBER", "9"), encoding="utf-8"
    )
    first = run("scan", "list.txt", "--output-format", "json")
    Path(file).write_text('ignore = ["ALL"]\n' if file.endswith("toml") else "torch==2.0\n", encoding="utf-8")
    changed = run("scan", "list.txt", "--output-format", "json")
    assert changed.err.startswith("3 repositories: 2 done before, 1 to check\n")
    assert found(changed) == found(run("scan", "list.txt", "--output-format", "json", "--results", "fresh"))
    assert (found(changed) == found(first)) == (not file.endswith("toml"))


def test_without_a_cache_nothing_is_put_into_it(repositories, run, tmp_path):
    run("scan", "list.txt", "--no-cache", "--cache-dir", str(tmp_path / "cache"))
    assert not [*(tmp_path / "cache").rglob("units/*")]
    run("scan", "list.txt", "--results", "other", "--cache-dir", str(tmp_path / "cache"))
    assert [*(tmp_path / "cache").rglob("units/*")]


def test_a_process_that_dies_costs_a_second_try(repositories, run):
    expected = run("scan", "list.txt", "--output-format", "json", "--results", "one")
    killed: list[int] = []

    def kill() -> None:
        end = time.monotonic() + 60
        while not killed and time.monotonic() < end:
            for helper in processes.running():
                helper.kill()
                killed.append(helper.pid)
                return
            time.sleep(0.001)

    thread = threading.Thread(target=kill)
    thread.start()
    result = run("scan", "list.txt", "--output-format", "json", "--results", "other", "-j", "1")
    thread.join()
    assert killed
    assert (result.code, result.out) == (expected.code, expected.out)


@pytest.mark.parametrize("error", [EOFError, MemoryError, ValueError])
def test_an_answer_that_cannot_be_read_is_none(repositories, monkeypatch, error):
    class Deaf:
        def __init__(self, target) -> None:
            self.pipe = self

        def send(self, message) -> None:
            pass

        def recv(self) -> None:
            raise error

        def end(self) -> None:
            pass

    monkeypatch.setattr(scan_workers, "Helper", Deaf)
    monkeypatch.setattr(threading, "excepthook", lambda arguments: None)
    folders = [Path("a"), Path("b")]
    found: list[tuple[Path, bytes | None]] = []
    scan = Scan(Configuration(), Path("results"), None)
    waiting = threading.Thread(target=lambda: found.extend(scan_workers.scan_here(scan, folders, 2)), daemon=True)
    waiting.start()
    waiting.join(60)
    assert sorted(found) == [(folder, None) for folder in folders]


def test_a_result_that_is_damaged_is_made_again(repositories, run):
    run("scan", "list.txt")
    for file in Path("ddl-lint-scan/scans").iterdir():
        file.write_bytes(b"x" * 100)
    assert run("scan", "list.txt").err == "3 repositories: 0 done before, 3 to check\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("nowhere\n", "list.txt:1: `nowhere` is not a folder\n"),
        ("https://host.example/x.git\n", "list.txt:1: `https://host.example/x.git` is not a folder; clone it first\n"),
        ("# none\n", "list.txt names no folder\n"),
    ],
)
def test_a_list_that_cannot_be_used(repositories, run, text, told):
    Path("list.txt").write_text(text, encoding="utf-8")
    result = run("scan", "list.txt")
    assert (result.code, result.out) == (2, "")
    assert result.err.endswith(told)


# --- a Ray cluster on this machine ------------------------------------------------------------------------------------


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def workers() -> list[int]:
    """The processes of this test's cluster that check a repository: they are children of a child of ours."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and (entry / "cmdline").read_bytes().startswith(b"ray::Map"):
                found += [int(entry.name)] if parent(parent(int(entry.name))) == os.getpid() else []
    return found


@pytest.mark.ray
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs Linux to find the worker")
def test_on_a_cluster_that_loses_a_worker(repositories, run):
    pytest.importorskip("ray")
    expected = run("scan", "list.txt", "--output-format", "json", "--results", "here")
    killed: list[int] = []

    def kill() -> None:
        end = time.monotonic() + 200
        while not killed and time.monotonic() < end:
            for pid in workers()[:1]:
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
            time.sleep(0.01)

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    result = run("scan", "list.txt", "--output-format", "json", "--results", "there", "--ray", "local", "-j", "2")
    assert killed
    assert (result.code, result.out) == (expected.code, expected.out)
    again = run("scan", "list.txt", "--output-format", "json", "--results", "there", "--ray", "local")
    assert again.err == "3 repositories: 3 done before, 0 to check\n"


OWNERS = "# all\n* @team\n/common/ @core @net  # the library\n"


def test_rows_owners_and_what_has_changed(repositories, run):
    """One scan after the other, in each format that has something for each repository."""
    Path("a/CODEOWNERS").write_text(OWNERS, encoding="utf-8")
    Path("list.txt").write_text("a\nb\nc\n", encoding="utf-8")
    first = json.loads(run("scan", "list.txt", "--output-format", "json").out)["repositories"]
    assert [(Path(row["folder"]).name, row["is_first"], row["by_consequence"]["hang"]) for row in first] == [
        ("a", True, 2),
        ("b", True, 2),
        ("c", True, 1),
    ]
    assert first[0]["owners"].keys() == {"@core", "@net", "@team"} and not first[1]["owners"]
    text = Path("a/common/comm.py").read_text(encoding="utf-8")
    Path("a/common/comm.py").write_text(text.replace("        dist.barrier()", "        pass"), encoding="utf-8")
    Path("b/more.py").write_text(
        TRAIN.replace("from common import comm\n", "").replace("NUMBER", "7"), encoding="utf-8"
    )
    options = ("--output-format", "json", "--output-format", "sarif", "--output-file", "out.sarif")
    result = run("scan", "list.txt", *options, "--output-format", "html", "--output-file", "out.html")
    assert re.search("since the last scan: [1-9] new, 1 fixed, ", result.err)
    rows = json.loads(result.out)["repositories"]
    assert [len(row["fixed"]) for row in rows] == [1, 0, 0] and not any(row["is_first"] for row in rows)
    states = {(each["state"], each["file"]) for each in rows[1]["findings"]}
    assert states >= {("open", "b/common/comm.py"), ("new", "b/more.py"), ("open", "b/train.py")}
    runs = json.loads(Path("out.sarif").read_text(encoding="utf-8"))["runs"]
    assert [each["automationDetails"]["id"] for each in runs] == ["ddl-lint/a/", "ddl-lint/b/", "ddl-lint/c/"]
    states = {(each["baselineState"], _file_of(each)) for each in runs[1]["results"]}
    assert states >= {("unchanged", "common/comm.py"), ("new", "more.py"), ("unchanged", "train.py")}
    page = Path("out.html").read_text(encoding="utf-8")
    assert " new, 1 fixed" in page and "@team" in page
    assert re.search(r'class="fixed"><span class="word">fixed</span> .*\n<span class="place dim">common/comm.py ', page)
    assert "<mark>new</mark> " in page and "without findings" not in page


def _file_of(result) -> str:
    return result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]


def test_one_bad_line_of_the_list_costs_itself(repositories, run):
    Path("list.txt").write_text("a\nnowhere\nc\n", encoding="utf-8")
    result = run("scan", "list.txt", "--output-format", "json")
    assert result.code == 2 and "list.txt:2: `nowhere` is not a folder" in result.err
    assert {place.partition("/")[0] for place in places(result)} == {"a", "c"}


def test_a_baseline_leaves_out_what_is_known_in_all_repositories(repositories, run):
    options = ("scan", "list.txt", "--output-format", "json")
    before = places(run(*options))
    assert before
    written = run(*options, "--write-baseline", "known.json")
    assert written.code == 0 and not found(written) and f"names {len(before) + 1} findings" in written.err
    beside = run(*options, "--baseline", "known.json")
    assert beside.code == 0 and not found(beside)
    (repositories / "c" / "late.py").write_text(TRAIN.replace("NUMBER", "9").replace("from common import comm", ""))
    later = run(*options, "--baseline", "known.json")
    assert later.code == 1 and {place.partition(":")[0] for place in places(later)} == {"c/late.py"}
    assert "is left out" in later.err or "are left out" in later.err


def test_a_baseline_of_a_scan_keeps_what_was_not_scanned_and_forgets_what_is_gone(repositories, run):
    run("scan", "list.txt", "--write-baseline", "known.json")
    entries = {each["file"] for each in json.loads((repositories / "known.json").read_text())["findings"]}
    (repositories / "only.txt").write_text("c\n")
    (repositories / "c" / "train.py").write_text("import torch\n")
    stale = run("scan", "only.txt", "--baseline", "known.json")
    assert "c/train.py" in stale.err and "no longer found" in stale.err
    run("scan", "only.txt", "--write-baseline", "known.json")
    left = {each["file"] for each in json.loads((repositories / "known.json").read_text())["findings"]}
    assert left == entries - {"c/train.py"}


def test_baselines_that_exclude_each_other_or_cannot_be_read(repositories, run):
    assert "leave out --baseline" in run("scan", "list.txt", "--baseline", "x", "--write-baseline", "y").err
    assert run("scan", "list.txt", "--baseline", "nowhere.json").code == 2
