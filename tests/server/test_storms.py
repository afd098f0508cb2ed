"""Storms: many files change at once, workers are killed, requests are cancelled and the client reads slowly.

Once the server is quiet, the findings of the open documents are those of a fresh check of what is there.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from asking import findings
from ddl_lint.check.engine import check_project
from ddl_lint.project import config, project_context
from ddl_lint.project.config import resolve
from ddl_lint.project.discover import discover
from ddl_lint.registry.rules import load_rules
from raw_client import RawClient
from server_programs import SAMPLING, Start

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")]

RULES = load_rules()
HEAD = "import torch\nimport torch.distributed as dist\n\n"
OPEN = 4
CREATED, CHANGED, DELETED = 1, 2, 3


class Workspace:
    """A project of many files, some of which are open in an editor."""

    def __init__(self, folder: Path, client: RawClient, count: int, dice: random.Random) -> None:
        self.folder = folder
        self.client = client
        self.dice = dice
        self.texts: dict[Path, str] = {}
        """The open documents."""
        self.versions: dict[Path, int] = {}
        self.files = [folder / f"part_{number}.py" for number in range(count)]
        for file in self.files:
            file.write_text(self.text())
        for number in range(OPEN):
            path = folder / f"open_{number}.py"
            path.write_text(self.text())
            self.texts[path], self.versions[path] = path.read_text(), 1
            client.open(path.as_uri(), self.texts[path])

    def text(self) -> str:
        """A program that sets up a process group, or not, and calls what others define."""
        number = self.dice.randrange(len(self.files)) if hasattr(self, "files") else 0
        lines = [HEAD, "\n" * self.dice.randrange(4)]
        if self.dice.random() < 0.6:
            lines.append(f"from part_{number} import work\n")
        if self.dice.random() < 0.5:
            lines.append('dist.init_process_group("gloo")\n')
        lines.append("def work():\n    dist.barrier()\n")
        lines.append(self.dice.choice(["work()\n", "if dist.get_rank() == 0:\n    work()\n", "dist.barrier()\n"]))
        return "".join(lines)

    # --- what happens -------------------------------------------------------------------------------------------------

    def switch_branch(self) -> None:
        """A quarter of all files have other contents."""
        self._told((file, CHANGED) for file in self._some(len(self.files) // 4) if self._written(file))

    def rename(self) -> None:
        """Some files have other names."""
        told: list[tuple[Path, int]] = []
        for file in self._some(5):
            new = file.with_name(f"part_{self.dice.randrange(10**6)}_renamed.py")
            if file.exists() and not new.exists():
                file.rename(new)
                self.files[self.files.index(file)] = new
                told += [(file, DELETED), (new, CREATED)]
        self._told(told)

    def delete(self) -> None:
        """Some files are gone."""
        gone = [file for file in self._some(3) if file.exists()]
        for file in gone:
            file.unlink()
        self._told((file, DELETED) for file in gone)

    def type(self) -> None:
        """Somebody types in an open document, faster than it is checked."""
        path = self.dice.choice([*self.texts])
        for _ in range(self.dice.randint(1, 6)):
            self.texts[path] = self.text()
            self.versions[path] += 1
            self.client.change(path.as_uri(), self.versions[path], {"text": self.texts[path]})

    def ask_and_cancel(self) -> None:
        """Requests that nobody waits for."""
        uri = self.dice.choice([*self.texts]).as_uri()
        for method in ("textDocument/hover", "textDocument/codeAction"):
            at = {"line": self.dice.randrange(9), "character": 0}
            params = {"textDocument": {"uri": uri}, "position": at, "range": {"start": at, "end": at}}
            number = self.client.request(method, {**params, "context": {"diagnostics": []}})
            if self.dice.random() < 0.7:
                self.client.notify("$/cancelRequest", {"id": number})

    def read_slowly(self) -> None:
        """The client reads nothing while the server has much to say."""
        with self.client._news:
            for _ in range(5):
                self.type()

    def kill_worker(self) -> None:
        """The system kills the process that checks."""
        for worker in self.client.workers():
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)

    def _some(self, count: int) -> list[Path]:
        return self.dice.sample(self.files, min(count, len(self.files)))

    def _written(self, file: Path) -> bool:
        file.write_text(self.text())
        return True

    def _told(self, changes: Iterator[tuple[Path, int]] | list[tuple[Path, int]]) -> None:
        told = [{"uri": file.as_uri(), "type": kind} for file, kind in changes]
        self.client.notify("workspace/didChangeWatchedFiles", {"changes": told})

    # --- what is found ------------------------------------------------------------------------------------------------

    def expected(self, files: Sequence[Path] = ()) -> dict[Path, list[tuple[str, int]]]:
        """What a fresh check of the open documents finds in them, or one of more files: codes and lines."""
        config.forget()
        project_context.forget()
        overlay = {path.as_posix(): text for path, text in self.texts.items()}
        report = check_project(files or [*self.texts], resolve, RULES, overlay=overlay)
        found: dict[Path, list[tuple[str, int]]] = {path: [] for path in self.texts}
        for finding in report.findings:
            path = Path(finding.location.path)
            if path in found:
                line = self.texts[path][: finding.location.start].count("\n")
                found[path].append((finding.code, line))
        return {path: sorted(each) for path, each in found.items()}

    def shown(self) -> dict[Path, list[tuple[str, int]]]:
        """What the client shows in them, at their present versions."""
        found: dict[Path, list[tuple[str, int]]] = {}
        for path, version in self.versions.items():
            arrival = self.client.published.get(path.as_uri())
            params = arrival.message["params"] if arrival is not None else {}
            if params.get("version") == version:
                shown = [(each["code"], each["range"]["start"]["line"]) for each in params["diagnostics"]]
                found[path] = sorted(shown)
        return found

    def agrees(self, *, as_a_whole: bool) -> None:
        """Wait until the client shows what a fresh check finds, and nothing else after that.

        A check of all files takes thirty times as long as one of those that are open, which finds the same in them.
        """
        expected = self.expected()
        if as_a_whole:
            assert self.expected(discover([self.folder], resolve).files) == expected
        try:
            self.client.wait(lambda: self.shown() == expected, "the findings of a fresh check", 300)
        except TimeoutError:
            pytest.fail(f"shown:    {self.shown()}\nexpected: {expected}")
        params = {"command": "ddl-lint.server.debugInformation", "arguments": []}
        self.client.ask("workspace/executeCommand", params)
        assert self.shown() == expected


@pytest.mark.parametrize(
    ("files", "storms"),
    [(40, 4), pytest.param(2_000, 60, marks=pytest.mark.nightly), pytest.param(60, 60, marks=pytest.mark.nightly)],
)
def test_after_each_storm_the_findings_are_those_of_a_fresh_check(
    start: Start, tmp_path: Path, files: int, storms: int
):
    folder = tmp_path / "storm"
    folder.mkdir()
    (folder / "ddl-lint.toml").write_text("pedantic = true\n")
    dice = random.Random(files + storms)
    workspace = Workspace(folder, start(root=folder), files, dice)
    workspace.agrees(as_a_whole=True)
    kinds: tuple[Callable[[], None], ...] = (
        *(workspace.switch_branch, workspace.rename, workspace.delete, workspace.type, workspace.ask_and_cancel),
        *(workspace.read_slowly, workspace.kill_worker),
    )
    for number in range(1, storms + 1):
        for happens in dice.sample(kinds, len(kinds)):
            happens()
        workspace.agrees(as_a_whole=number % 10 == 0 or storms < 10)


def resident(pid: int) -> int:
    """Bytes of memory that a process has."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize("edits", [90, pytest.param(10_000, marks=pytest.mark.nightly)])
def test_memory_is_flat_over_many_edits(start: Start, tmp_path: Path, edits: int):
    folder = tmp_path / "edits"
    folder.mkdir()
    (folder / "ddl-lint.toml").write_text("")
    client = start(root=folder)
    uri = (folder / "sampling.py").as_uri()
    client.open(uri, SAMPLING)
    findings(client, uri, bool, pulls=False)
    sizes: list[int] = []
    for version in range(2, edits + 2):
        client.change(
            uri, version, {"text": f"# {version}\n" * (version % 7) + SAMPLING + f"x_{version} = {version}\n"}
        )
        client.findings(uri, version)
        client.arrivals.clear()
        (worker,) = client.workers()
        sizes.append(resident(worker) + resident(client.process.pid))
    third = len(sizes) // 3
    assert max(sizes[-third:]) < max(sizes[:third]) * 1.1 + (8 << 20), (max(sizes[:third]), max(sizes[-third:]))
