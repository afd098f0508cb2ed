"""How quick the language server is: a bare JSON-RPC client in a project of 200 files with a long training script.

    python benchmarks/server.py [--keys 100] [--edits 10000] [--debounce 0.15] [--lines 1000]

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
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "editors"))

from raw_client import RawClient

FILES = 200
LENGTHS = (1_000, 5_000)
QUESTION_EVERY = 0.005  # seconds
STEPS = 10  # measurements of memory between the first edit and the last
BATCH = 20  # edits that are sent without a pause while the memory is watched
EDITED = "    scale = 0.125  # edited here\n"
IMPORTED = "from parts.block_003 import forward_003\n"


class Stall(NamedTuple):
    """What the cheap questions waited, in milliseconds."""

    median: float
    p95: float
    longest: float
    questions: int


# --- the project ----------------------------------------------------------------------------------------------------


def part(number: int) -> str:
    """A module of the model's parts, which imports its neighbour."""
    before = f"from parts.block_{number - 1:03} import forward_{number - 1:03}\n" if number % 10 else ""
    call = f"forward_{number - 1:03}(x)" if number % 10 else "x"
    return f'''"""Part {number} of the model."""

import torch
from torch import nn

{before}
class Block{number:03}(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.mix = nn.Linear(width, width)

    def forward(self, x):
        return x + self.mix(torch.relu(self.norm(x)))


def forward_{number:03}(x):
    return {call} * {1 + number / 100}
'''


HEADER = f'''"""Trains the model on all GPUs."""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

from parts.block_001 import Block001
{IMPORTED}from parts.block_019 import Block019
from parts.block_077 import forward_077


def rank():
    return dist.get_rank() if dist.is_initialized() else 0


def log(text):
    if rank() == 0:
        print(text, flush=True)


def average(value):
    total = torch.tensor(float(value), device="cuda")
    dist.all_reduce(total)
    return total.item() / dist.get_world_size()
'''

STAGE = """

class Stage{n}(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = Block019(width)
        self.gate = nn.Linear(width, width)

    def forward(self, x):
        return self.inner(x) * torch.sigmoid(self.gate(x))


def augment_{n}(batch, strength):
    noise = torch.randn_like(batch) * strength
    mask = torch.rand(batch.shape[0], device=batch.device) < 0.5
    result = torch.where(mask[:, None], batch + noise, batch)
    if strength > 0.5:
        result = result.clamp(-3.0, 3.0)
    return result


def evaluate_{n}(model, loader, device):
    model.eval()
    loss, seen = 0.0, 0
    with torch.no_grad():
        for inputs, targets in loader:
            outputs = model(augment_{n}(inputs.to(device), 0.{n}))
            loss += nn.functional.mse_loss(outputs, targets.to(device), reduction="sum").item()
            seen += len(inputs)
    result = average(loss / max(seen, 1))
    log(f"stage {n}: {{result:.4f}}")
    model.train()
    return result
"""

FOOTER = f"""

def save(model, optimizer, path):
    torch.save({{"model": model.state_dict(), "optimizer": optimizer.state_dict()}}, path)


def warm_up(step):
{EDITED}    return min(1.0, (step + 1) * scale)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--width", type=int, default=64)
    args = parser.parse_args()
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    device = torch.device("cuda", local_rank)
    data = TensorDataset(torch.randn(4096, args.width), torch.randn(4096, args.width))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=32, sampler=sampler)
    model = nn.Sequential(Block001(args.width), STAGES).to(device)
    model = DistributedDataParallel(model, device_ids=[local_rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    step = 0
    for epoch in range(args.epochs):
        for inputs, targets in loader:
            optimizer.zero_grad()
            outputs = model(forward_077(forward_003(inputs.to(device))))
            loss = nn.functional.mse_loss(outputs, targets.to(device)) * warm_up(step)
            loss.backward()
            optimizer.step()
            step += 1
EVALUATIONS
        if rank() == 0:
            save(model, optimizer, f"epoch_{{epoch}}.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
"""


def training_script(lines: int) -> str:
    """A script of about so many lines, with two faults: no `set_epoch`, and the state of the wrapper is saved."""
    fixed = HEADER.count("\n") + FOOTER.count("\n")
    count = (lines - fixed) // (STAGE.count("\n") + 1)  # each stage brings one line of `main` along
    stages = "".join(STAGE.format(n=number) for number in range(count))
    calls = "\n".join(f"        evaluate_{number}(model, loader, device)" for number in range(count))
    used = ", ".join(f"Stage{number}(args.width)" for number in range(0, count, max(count // 4, 1)))
    text = HEADER + stages + FOOTER.replace("STAGES", used).replace("EVALUATIONS", calls)
    return text + "# the end\n" * (lines - text.count("\n"))


def make_project(root: Path) -> dict[int, Path]:
    """200 files; returns the training scripts by their length."""
    (root / "pyproject.toml").write_text("[tool.ddl-lint]\n")
    (root / "parts").mkdir()
    (root / "parts" / "__init__.py").write_text("")
    scripts = {lines: root / f"train_{lines}.py" for lines in LENGTHS}
    for lines, path in scripts.items():
        path.write_text(training_script(lines))
    for number in range(FILES - len(scripts) - 1):
        (root / "parts" / f"block_{number:03}.py").write_text(part(number))
    return scripts


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


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which this share lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


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
    client = RawClient([sys.executable, "-m", "ddl_lint", "server"])
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
        for lines, path in make_project(root).items():
            if options.lines not in (None, lines):
                continue
            measure(root, lines, path, options, lambda what, value: print(f"  {what:60} {value:>24}", flush=True))


if __name__ == "__main__":
    main()
