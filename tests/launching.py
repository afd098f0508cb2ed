"""Runs a program in several processes as a launcher does, and tells how they end.

Nothing is judged by how long it takes, so that a slow or busy machine sees the same as a fast one. Processes that wait
for each other are told by what they do: none of them, nor of the processes that they have started, has anything to run
or to read from a disk, for several seconds on end. One that is short of processor time is always ready to run.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from horovod_rendezvous import rendezvous

PROCESSES = 2

_ASLEEP = 8.0
"""Seconds for which all must be asleep before they are taken to wait for each other."""

_LAST_WORDS = 2.0
"""The same once one of them has failed: the others may still have an error to tell."""

_IDLE_SHARE = 0.02
"""A share of one processor that threads take which only look from time to time whether they are wanted."""

_LIMIT = 900.0
"""Seconds after which a program is given up that neither ends nor falls asleep."""

_PORTS = range(10240, 32000, 16)
"""Blocks of ports below those that the system gives away by itself."""

_LOST = re.compile("Connection (closed|reset) by peer|Connection refused|Broken pipe|got 0 bytes")
"""What gloo and the store say where other backends wait: the other process has gone."""

_ABORTED_AT_EXIT = "terminate called without an active exception"
"""What gloo says now and then when a process ends that has done all its work."""


@dataclass(frozen=True)
class Run:
    """How the processes of a program have ended."""

    outcome: str
    """`hangs`, `crashes`, `ends`, or `goes on` where it is none of them."""

    results: Sequence[str]
    """The lines of each process that begin with `result:`."""

    errors: Sequence[str]
    """What each has written to its standard error."""

    stayed: bool = False
    """Whether it hangs with all of its results, one of its processes having ended well."""


def launch(program: Path, folder: Path, *, nodes: int = 1, alone: bool = False, horovod: bool = False) -> Run:
    """Run a program in a new folder: in two processes on so many nodes, or alone and without a launcher's variables.
    They get those of torchrun, or those of `horovodrun`.

    Where the processes do not even find each other, for the machine is too busy, nothing of the program was seen; where
    one of them stays although it has printed its result and another has ended well, it may be what a framework does now
    and then while a process ends. Then the program is run again, in another folder: what is the program's own happens
    each time.
    """
    for attempt in range(1, _ATTEMPTS + 1):
        place = folder if attempt == 1 else folder.with_name(f"{folder.name}.{attempt}")
        run = _launch(program, place, nodes=nodes, alone=alone, horovod=horovod)
        if not any(_NEVER_MET.search(error) for error in run.errors) and not run.stayed:
            break
    return run


_ATTEMPTS = 3
_NEVER_MET = re.compile(r"connectFullMesh failed")


def _launch(program: Path, folder: Path, *, nodes: int, alone: bool, horovod: bool) -> Run:
    folder.mkdir()
    outputs = folder.with_name(folder.name + ".outputs")
    outputs.mkdir()
    common = {name: value for name, value in os.environ.items() if name not in ("RANK", "LOCAL_RANK", "WORLD_SIZE")}
    common |= {"OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": "", "PYTHONDONTWRITEBYTECODE": "1"}
    common |= {"GLOO_SOCKET_IFNAME": "lo"}
    with _free_port() as port, contextlib.ExitStack() as open_files:
        ranks: Sequence[Mapping[str, str]] = [{}]
        if horovod:
            ranks = open_files.enter_context(rendezvous(PROCESSES))
        elif not alone:
            ranks = [_ranks(rank, nodes) for rank in range(PROCESSES)]
        common |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
        processes = [
            subprocess.Popen(
                [sys.executable, str(program)],
                cwd=folder,
                env={**common, **variables},
                stdin=subprocess.DEVNULL,
                stdout=open_files.enter_context((outputs / f"{number}.out").open("w")),
                stderr=open_files.enter_context((outputs / f"{number}.err").open("w")),
                start_new_session=True,
            )
            for number, variables in enumerate(ranks)
        ]
        try:
            stopped = _watch(processes, outputs)
        finally:
            ended = [process.poll() is not None for process in processes]
            for process in processes:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            codes = [process.wait() for process in processes]
    results = [_result(outputs / f"{number}.out") for number in range(len(processes))]
    errors = [_read(outputs / f"{number}.err") for number in range(len(processes))]
    failed = [error for end, code, error in zip(ended, codes, errors, strict=True) if end and _failed(code, error)]
    outcome = stopped
    if failed:
        outcome = "hangs" if all(_LOST.search(error) for error in failed) else "crashes"
    print(program, outcome, codes, *(error[-2000:] for error in errors), sep="\n")
    told_all = all(results) and any(end and code == 0 for end, code in zip(ended, codes, strict=True))
    return Run(outcome, results, errors, stayed=outcome == "hangs" and told_all)


def _ranks(rank: int, nodes: int) -> dict[str, str]:
    local_size = PROCESSES // nodes
    values = {"RANK": rank, "WORLD_SIZE": PROCESSES, "LOCAL_RANK": rank % local_size, "LOCAL_WORLD_SIZE": local_size}
    return {name: str(value) for name, value in values.items()}


@contextmanager
def _free_port() -> Iterator[int]:
    """A port with a few free ones behind it, which no other run takes in the meantime: the one before it is held."""
    for first in random.sample(_PORTS, len(_PORTS)):
        with socket.socket() as guard:
            try:
                guard.bind(("127.0.0.1", first))
                for port in range(first + 1, first + _PORTS.step):
                    with socket.socket() as probe:
                        probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            yield first + 1
            return
    raise OSError("no free ports")


def _watch(processes: Sequence[subprocess.Popen[bytes]], outputs: Path) -> str:
    """Wait until all have ended, or nothing will change any more."""
    begin = since = time.monotonic()
    worked = 0.0
    while any(process.poll() is None for process in processes):
        time.sleep(0.2)
        now = time.monotonic()
        awake, work = _activity({process.pid for process in processes})
        if awake or abs(work - worked) > _IDLE_SHARE * max(now - since, 1):
            worked, since = work, now
        failed = any(
            process.returncode is not None and _failed(process.returncode, _read(outputs / f"{number}.err"))
            for number, process in enumerate(processes)
        )
        if now - since > (_LAST_WORDS if failed else _ASLEEP):
            return "hangs"
        if now - begin > _LIMIT:
            return "goes on"
    return "ends"


def _activity(sessions: set[int]) -> tuple[bool, float]:
    """Whether any thread of these sessions is ready to run or waits for a disk, and the seconds they have worked."""
    awake, ticks = False, 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            fields = _fields(process / "stat")
            if int(fields[3]) not in sessions:
                continue
            ticks += sum(map(int, fields[11:15]))
            awake |= any(_fields(thread / "stat")[0] in "RD" for thread in (process / "task").iterdir())
        except OSError:  # it has gone
            continue
    return awake, ticks / os.sysconf("SC_CLK_TCK")


def _fields(stat: Path) -> list[str]:
    """The fields behind the name in a file of the system about a process, which begin with its state."""
    return stat.read_text().rpartition(")")[2].split()


def _failed(code: int, error: str) -> bool:
    if code == -signal.SIGABRT and _ABORTED_AT_EXIT in error and "Traceback" not in error:
        return False
    return code != 0


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")


def _result(file: Path) -> str:
    return "\n".join(line for line in _read(file).splitlines() if line.startswith("result:"))
