"""The tools of `ddl-lint mcp`. Each is a command of ours, run by a process of its own in the folder that is served."""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from mcp.server.mcpserver.exceptions import ToolError

from ddl_lint.commands.outcome import FAILURE
from ddl_lint.processes import Helper


class _Said(NamedTuple):
    """What a command has said."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Tools:
    """What a client may ask about the files of a folder. The docstring of each tool is what the client reads."""

    folder: Path
    """Real and absolute."""

    def all(self) -> Sequence[Callable[..., str]]:
        """The tools, in the order in which a client lists them."""
        return (self.check, self.explain, self.trace, self.jobs, self.diagnose)

    def check(
        self,
        paths: Sequence[str] = (".",),
        select: Sequence[str] = (),
        ignore: Sequence[str] = (),
        pedantic: bool = False,
        changed_since: str = "",
    ) -> str:
        """Find faults of distributed training code: hangs, crashes, wrong results, lost data, wasted work.

        Answers Markdown: a section for each finding with its place, the evidence, the help, the edits of its fix, and
        the command that verifies the fix. It reads launch files and configurations beside Python files and notebooks.

        Args:
            paths: Files and folders below the served folder; all of it by default.
            select: Rules to run in place of the default ones: codes, names, or groups such as `hang` or `deepspeed`.
            ignore: Rules to leave out.
            pedantic: Whether to show what is less certain, too, and harmless hints.
            changed_since: A commit or branch: only findings that have to do with lines changed since then.
        """
        words = ["check", "--output-format", "agent", "--exit-zero"]
        words += [f"--select={','.join(select)}"] if select else []
        words += [f"--ignore={','.join(ignore)}"] if ignore else []
        words += ["--pedantic"] if pedantic else []
        words += [f"--changed-since={changed_since}"] if changed_since else []
        return self._answer([*words, "--", *self._inside(paths)])

    def explain(self, rule: str) -> str:
        """The page of a rule: why it matters, an example with its fix, and when the rule says nothing.

        Args:
            rule: A name or a code, such as `DDL501`.
        """
        return self._answer(["explain", "--", rule])

    def trace(self, target: str, job: str = "") -> str:
        """What the ranks of a script do together: the collective calls that all must make, and where ranks diverge.

        Args:
            target: A script (`train.py`), one of its functions (`train.py::main`), or a line (`train.py:12`): which
                ranks execute it.
            job: The launch whose ranks are meant, such as `train.sbatch:13`; `jobs` lists them.
        """
        self._inside(map(_file_of, filter(None, (target, job))))
        return self._answer(["trace", *([f"--job={job}"] if job else []), "--", target])

    def jobs(self, paths: Sequence[str] = (".",)) -> str:
        """The jobs that launch lines start: script, nodes, processes, world size, batch; and what is unknown, and why.

        Args:
            paths: Files and folders below the served folder; all of it by default.
        """
        return self._answer(["jobs", "--", *self._inside(paths)])

    def diagnose(self, logs: Sequence[str], code: str = ".") -> str:
        """What made a job hang or crash, from its logs: what happened, where which ranks parted, and what to change.

        Secrets, addresses and the folders of files are left out of the answer.

        Args:
            logs: Logs of ranks, error files of torchrun and dumps of PyTorch's flight recorder, or folders of them.
            code: The folder with the training code, or its script.
        """
        [place, *files] = self._inside([code, *logs])
        return self._answer(["diagnose", "--redact", f"--code={place}", "--", *files])

    def _inside(self, paths: Iterable[str]) -> list[str]:
        """The paths, all of which lie in the folder."""
        paths = list(paths)
        for path in paths:
            if not Path(os.path.realpath(self.folder / path)).is_relative_to(self.folder):
                raise ToolError(f"{path} is outside of the folder that this server reads")
        return paths or ["."]

    def _answer(self, words: Sequence[str]) -> str:
        """What a command prints, with its warnings and errors below it."""
        said = _run(self.folder, words)
        if said.code == FAILURE and not said.out:
            raise ToolError(said.err.strip().removeprefix("error: "))
        notes = [line for line in said.err.splitlines() if line.startswith(("error:", "warning:"))]
        return "\n".join([said.out.rstrip(), *(["", *notes] if notes else [])])


def _file_of(target: str) -> str:
    """The file that `train.py::main` and `train.py:12` name."""
    return re.sub(r":\d+$", "", target.partition("::")[0])


def _run(folder: Path, words: Sequence[str]) -> _Said:
    """Run a command line in a folder, by a process of its own: nothing of it is left, whatever becomes of it."""
    helper = Helper(_serve)
    try:
        helper.pipe.send((str(folder), list(words)))
        return _Said(*helper.pipe.recv())
    except (EOFError, OSError):
        raise ToolError("the command has died before it had an answer; ask about fewer files") from None
    finally:
        helper.end()


def _serve(pipe: Connection) -> None:
    """Run the command line that comes through a pipe, and send back what it says."""
    from ddl_lint.commands.main import main
    from ddl_lint.search_path import leave_projects_out

    folder, words = pipe.recv()
    os.chdir(folder)
    leave_projects_out([os.curdir])
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(words)
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else FAILURE
    pipe.send((code, out.getvalue(), err.getvalue()))
