"""How quick the language server is: a bare JSON-RPC client in a project of 200 files with a long training script.

    python -m benchmarks.server [--keys 100] [--edits 10000] [--debounce 0.15] [--lines 1000]

For a script of 1,000 and one of 5,000 lines: from opening to the first findings (of the first file in a session, and
with a warm server); from a key to the findings of that version, less the debounce, with the key in the body of a
function and in an import; the longest time that a cheap question, asked every 5 ms while somebody types, waits for its
answer; and the memory of the server and of its worker while many edits are made. Times are in milliseconds.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "editors"))

from benchmarks.generated import EDITED, FILES, IMPORTED, make_project
from benchmarks.tables import quantile
from raw_client import RawClient

LENGTHS = (1_000, 5_000)
QUESTION_EVERY = 0.005  # seconds
STEPS = 10  # measurements of memory between the first edit and the last
BATCH = 20  # edits that are sent without a pause while the memory is watched


class Stall(NamedTuple):
    """What the cheap questions waited, in milliseconds."""

    median: float
    p95: float
    longest: float
    questions: int


# --- measuring ------------------------------------------------------------------------------------------------------


class Typist:
    """Types into one open document, and knows its version and text."""

    def __init__(self, client: RawClient, path: Path) -> None:
        self.client = client
        self.uri = path.as_uri()
        self.text = path.read_text()
        self.version = 1
        self._turned: dict[str, bool] = {}

    def open(self) -> float:
        """Open the document; milliseconds until the first findings."""
        sent = self.client.open(self.uri, self.text, self.version)
        return (self.client.findings(self.uri, self.version).moment - sent) * 1000

    def key(self, place: str) -> float:
        """Replace one character after `place`'s begin, to and fro; the moment before it is sent."""
        self.version += 1
        self._turned[place] = not self._turned.get(place, False)
        line = self.text[: self.text.index(place)].count("\n")
        column = next(number for number, letter in reversed(list(enumerate(place))) if letter.isdigit())
        span = {"start": {"line": line, "character": column}, "end": {"line": line, "character": column + 1}}
        typed = "4" if self._turned[place] else place[column]
        return self.client.change(self.uri, self.version, {"range": span, "text": typed})

    def wait(self) -> float:
        """Wait for the findings of the newest version; the moment of their arrival."""
        return self.client.findings(self.uri, self.version).moment


def key_to_findings(typist: Typist, place: str, keys: int, debounce: float) -> list[float]:
    """Milliseconds from each key to the findings of its version, less the debounce."""
    result: list[float] = []
    for number in range(keys + 5):
        sent = typist.key(place)
        waited = typist.wait() - sent
        if number >= 5:  # the first ones warm up
            result.append((waited - debounce) * 1000)
        time.sleep(0.05 + debounce)  # what is checked after the document itself shall be over
    return result


def stall(client: RawClient, typist: Typist, seconds: float) -> Stall:
    """Ask something cheap every 5 ms while somebody types ten keys a second."""
    question = {"textDocument": {"uri": "untitled:nothing"}, "position": {"line": 0, "character": 0}}
    asked: list[tuple[int, float]] = []
    end = time.perf_counter() + seconds
    done = threading.Event()

    def ask() -> None:
        due = time.perf_counter()
        while due < end:
            moment = time.perf_counter()
            asked.append((client.request("textDocument/hover", question), moment))
            due += QUESTION_EVERY
            time.sleep(max(0.0, due - time.perf_counter()))
        done.set()

    threading.Thread(target=ask, daemon=True).start()
    while not done.is_set():
        typist.key(EDITED)
        time.sleep(0.1)
    typist.wait()
    waits = [(client.answer(number).moment - moment) * 1000 for number, moment in asked]
    return Stall(statistics.median(waits), quantile(waits, 0.95), max(waits), len(waits))


def type_and_check(typist: Typist, edits: int) -> None:
    """Type quickly, and wait for the findings now and then: what is never told may never have been looked for."""
    for number in range(edits):
        typist.key(EDITED if number % 2 else IMPORTED)
        if number % BATCH == BATCH - 1:
            typist.wait()


def resident(process: int) -> float:
    """MiB of memory that a process holds; not known outside of Linux."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return float("nan")
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), float("nan"))


def memory(client: RawClient) -> tuple[float, float]:
    """MiB of the server and of its worker."""
    return resident(client.process.pid), sum(resident(worker) for worker in client.workers())


def start(root: Path, debounce: float) -> RawClient:
    """A server in the project, ready to answer."""
    client = RawClient([sys.executable, "-I", "-m", "ddl_lint", "server"])
    client.initialize(root, options={"debounce": debounce})
    return client


def measure(root: Path, lines: int, path: Path, options: argparse.Namespace, show: Callable[[str, str], None]) -> None:
    """All numbers of one script."""
    size = path.stat().st_size // 1024
    print(f"\n{lines:,} lines, {size} KiB, in {FILES} files; debounce {options.debounce * 1000:.0f}")
    client = start(root, options.debounce)
    typist = Typist(client, path)
    cold = typist.open()
    time.sleep(3)
    client.close(typist.uri)
    typist.version += 1
    client.published.pop(typist.uri, None)
    warm = typist.open()
    codes = sorted({each["code"] for each in client.published[typist.uri].message["params"]["diagnostics"]})
    show("open to findings, first file of a session", f"{cold:.0f}")
    show("open to findings, warm", f"{warm:.0f}")
    time.sleep(1)
    for name, place in (("function body", EDITED), ("import", IMPORTED)):
        times = key_to_findings(typist, place, options.keys, options.debounce)
        show(f"key to findings, {name}: p50 / p95 / max",
             f"{statistics.median(times):.1f} / {quantile(times, 0.95):.1f} / {max(times):.1f}")  # fmt: skip
    waits = stall(client, typist, options.seconds)
    show("a question every 5 ms: p50 / p95 / longest", f"{waits.median:.1f} / {waits.p95:.1f} / {waits.longest:.1f}")
    client.stop()

    client = start(root, 0.0)
    typist = Typist(client, path)
    typist.open()
    type_and_check(typist, STEPS * BATCH)  # what is kept for good is there by now
    for done in range(0, options.edits + 1, max(options.edits // STEPS, 1)):
        if done:
            type_and_check(typist, options.edits // STEPS)
        server, worker = memory(client)
        show(f"memory of server / worker after {done:,} edits, MiB", f"{server:.1f} / {worker:.1f}")
    show("findings", ", ".join(codes) or "none")
    client.stop()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keys", type=int, default=100, help="keys that are measured one by one, for each place")
    parser.add_argument("--edits", type=int, default=10_000, help="edits during which the memory is watched")
    parser.add_argument("--seconds", type=float, default=10.0, help="of questions every 5 ms")
    parser.add_argument("--debounce", type=float, default=0.15, help="what the server is told to wait after a key")
    parser.add_argument("--lines", type=int, choices=LENGTHS, help="measure this script only")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for lines, path in make_project(root, LENGTHS).items():
            if options.lines not in (None, lines):
                continue
            measure(root, lines, path, options, lambda what, value: print(f"  {what:60} {value:>24}", flush=True))


if __name__ == "__main__":
    main()
