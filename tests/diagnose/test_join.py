"""Logs with the code beside them: which line comes first, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ddl_lint.diagnose import Answer, diagnose, read_code
from ddl_lint.diagnose.facts import spelled
from ddl_lint.diagnose.operations import fits
from ddl_lint.registry.rules import Installed

Ask = Callable[..., Answer]

WATCHDOG = (
    "[rank{rank}]:[E1126 10:00:00.1 ProcessGroupNCCL.cpp:632] [Rank {rank}] Watchdog caught collective operation "
    "timeout: WorkNCCL(SeqNum=54, OpType={op}, NumelIn={numel}, NumelOut={numel}, Timeout(ms)=600000) ran for 600011 "
    "milliseconds before timing out.\n"
)


def traceback(rank: int, *frames: tuple[str, int, str, str], error: str) -> str:
    lines = ["Traceback (most recent call last):"]
    for file, line, function, source in frames:
        lines += [f'  File "{file}", line {line}, in {function}', f"    {source}"]
    return "".join(f"[rank{rank}]: {line}\n" for line in [*lines, error])


MAIN = ("/cluster/me/project/train.py", 13, "main", "validate(model)")
LOST = "RuntimeError: [pair.cc:553] Connection closed by peer [10.0.0.7]:25999."


def where(answer: Answer) -> tuple[str, int] | None:
    first = answer.first
    return None if first is None else (Path(first.spot.path).name, first.spot.line)


def test_frames_decide_at_once(ask: Ask):
    wait = ("/cluster/me/project/evaluation.py", 11, "validate", "dist.all_reduce(total)")
    found = ask(traceback(0, MAIN, wait, error=LOST))
    assert where(found) == ("evaluation.py", 10)
    assert found.first is not None and found.first.finding is not None
    assert found.first.finding.name == "early-exit-before-collective"
    assert found.certainty == "sure"
    assert found.sentence == "Hang: rank 0 waited in `all_reduce` for a rank whose process had ended"
    assert found.first.communication is not None


def test_the_other_place_by_the_other_frames(ask: Ask):
    wait = ("/cluster/me/project/evaluation.py", 8, "validate", "dist.broadcast(total, 0)")
    found = ask(traceback(0, MAIN, wait, error=LOST))
    assert where(found) == ("evaluation.py", 8)
    assert found.certainty == "sure"


def test_the_collective_decides_where_there_are_no_frames(ask: Ask):
    found = ask("world_size=2\n" + WATCHDOG.format(rank=0, op="BROADCAST", numel=1))
    assert where(found) == ("evaluation.py", 8)
    assert found.certainty in ("possible", "likely")
    assert found.sentence == "Hang: rank 0 waited in `BROADCAST`; rank 1 never came"
    assert any("no Python frames" in each for each in found.because)


@pytest.mark.parametrize(
    "named",
    [
        "train.py FAILED\n",
        "[launch.py:321:sigkill_handler] ['python', '-u', 'train.py', '--local_rank=1'] exits with return code = -6\n",
    ],
)
def test_the_script_that_a_log_names_decides_between_programs(named: str, ask: Ask, project: Path):
    (project / "another.py").write_text(
        "import torch\nimport torch.distributed as dist\n\ndist.init_process_group('nccl')\n"
        "if dist.get_rank() == 0:\n    dist.broadcast(torch.ones(1, device='cuda'), 0)\n"
    )
    found = ask("world_size=2\n" + WATCHDOG.format(rank=0, op="BROADCAST", numel=1) + named)
    assert where(found) == ("evaluation.py", 8)
    assert not any(Path(each.spot.path).name == "another.py" for each in found.candidates)


def test_a_finding_of_another_kind_is_not_taken_for_the_cause_of_an_exception(installed: Installed, tmp_path: Path):
    (tmp_path / "train.py").write_text(
        "import torch\nimport torch.distributed as dist\n"
        "from torch.utils.data import DataLoader, DistributedSampler, TensorDataset\n\n"
        "dist.init_process_group('nccl')\ndata = TensorDataset(torch.ones(9))\n"
        "model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(1, 1))\n"
        "sampler = DistributedSampler(data, shuffle=True)\nloader = DataLoader(data, sampler=sampler)\n"
        "for epoch in range(10):\n    for batch in loader:\n        model(batch).sum().backward()\n"
    )
    log = tmp_path / "job.log"
    code = read_code(tmp_path, installed)
    spot = next(code.spot(finding.location) for finding in code.findings if finding.name == "missing-set-epoch")
    assert spot is not None
    frame = (spot.path, spot.line, "<module>", code.text(spot))
    log.write_text(traceback(0, frame, error="KeyError: 'x'"))
    found = diagnose([str(log)], code, installed)
    assert found.certainty == "where"


TWO_PLACES = """\
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


class Engine:
    def __init__(self, model):
        self.rank = dist.get_rank()
        self.model = DDP(model)

    def log(self, loss):
        value = loss.detach().clone()
        if self.rank == 0:
            dist.all_reduce(value)

    def train(self, loader):
        for step, batch in enumerate(loader):
            out = self.model(batch).sum()
            if torch.isnan(out):
                continue
            out.backward()
            if step % 10 == 0:
                self.log(out)
            dist.barrier()


def main():
    dist.init_process_group("nccl")
    Engine(torch.nn.Linear(4, 4)).train([torch.ones(4)] * 10)


main()
"""


@pytest.mark.parametrize(
    ("waiting", "numel", "line"), [((0,), 1, 14), ((0, 2, 3), 25_000_000, 20), ((2,), 25_000_000, 20)]
)
def test_who_waits_and_for_how_much_decides_without_frames(
    waiting: tuple[int, ...], numel: int, line: int, ask: Ask, tmp_path: Path
):
    folder = tmp_path / "two"
    folder.mkdir()
    (folder / "train.py").write_text(TWO_PLACES)
    found = ask(
        "world_size=4\n" + "".join(WATCHDOG.format(rank=rank, op="ALLREDUCE", numel=numel) for rank in waiting), folder
    )
    assert where(found) == ("train.py", line)
    assert found.certainty in ("possible", "likely")


def test_a_crash_at_a_line_with_another_fault_is_not_blamed_on_that(installed: Installed, tmp_path: Path):
    (tmp_path / "train.py").write_text(
        "import torch\nimport torch.distributed as dist\n\ndist.init_process_group('nccl')\n"
        "model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 4))\n"
        "if dist.get_rank() == 0:\n    torch.save(model.state_dict(), 'model.pt')\n"
        "plain = torch.nn.Linear(4, 4)\nplain.load_state_dict(torch.load('model.pt'))\n"
    )
    log = tmp_path / "job.log"
    frame = (str(tmp_path / "train.py"), 7, "<module>", "torch.save(model.state_dict(), 'model.pt')")
    log.write_text(traceback(0, frame, error="OSError: [Errno 28] No space left on device"))
    found = diagnose([str(log)], read_code(tmp_path, installed), installed)
    assert where(found) == ("train.py", 7)
    assert found.first is not None and found.first.reason == "raised"
    assert found.certainty == "where"
    assert any(each.finding is not None for each in found.candidates)


def test_a_fault_of_a_configuration_comes_before_the_line_that_reads_it(installed: Installed, tmp_path: Path):
    (tmp_path / "train.py").write_text(
        "import deepspeed\nimport torch\n\nmodel = torch.nn.Linear(4, 4)\n"
        "engine, *_ = deepspeed.initialize(model=model, config='ds.json')\n"
    )
    (tmp_path / "ds.json").write_text('{"train_batch_size": 32, "fp16": {"enabled": true}, "bf16": {"enabled": true}}')
    log = tmp_path / "job.log"
    frame = (
        str(tmp_path / "train.py"),
        5,
        "<module>",
        "engine, *_ = deepspeed.initialize(model=model, config='ds.json')",
    )
    log.write_text(
        traceback(0, frame, error="AssertionError: bfloat16 and fp16 modes cannot be simultaneously enabled")
    )
    found = diagnose([str(log)], read_code(tmp_path, installed), installed)
    assert found.first is not None and found.first.finding is not None
    assert found.first.finding.name == "dsconfig-precision-conflict"
    assert found.blame == "launch"


def test_a_collective_that_no_code_makes_accuses_no_line(ask: Ask):
    found = ask("world_size=2\n" + WATCHDOG.format(rank=0, op="ALLTOALL", numel=1))
    assert found.certainty in ("cannot tell", "possible")
    assert all(candidate.finding is None or candidate.score < 40 for candidate in found.candidates)


def test_code_that_has_moved_since_is_found_by_what_is_written_there(ask: Ask, project: Path):
    evaluation = project / "evaluation.py"
    evaluation.write_text("# a line more\n\n" + evaluation.read_text())
    wait = ("/cluster/me/project/evaluation.py", 11, "validate", "dist.all_reduce(total)")
    found = ask(traceback(0, MAIN, wait, error=LOST))
    assert where(found) == ("evaluation.py", 12)
    assert found.certainty == "likely"
    assert any("code has changed" in each for each in found.because)


def test_code_that_is_no_longer_there_accuses_no_line(ask: Ask):
    other = ("/cluster/me/project/evaluation.py", 11, "validate", "dist.gather(total)")
    found = ask(traceback(0, other, error="KeyError: 'loss'"))
    assert found.first is None
    assert found.certainty == "where"
    assert any("No frame of the traceback is in this folder" in each for each in found.because)


def test_an_exception_that_no_rule_knows_is_shown_where_it_is(ask: Ask):
    wait = ("/cluster/me/project/evaluation.py", 11, "validate", "dist.all_reduce(total)")
    log = traceback(1, ("/x/train.py", 11, "main", "loss = model(torch.ones(4)).sum()"), error="KeyError: 'loss'")
    found = ask(log + traceback(0, MAIN, wait, error=LOST))
    assert where(found) == ("train.py", 11)
    assert found.certainty == "where"
    assert found.sentence == "Crash: KeyError on rank 1; rank 0 then waited for it"


def test_without_code_the_log_is_answered_by_itself(ask: Ask):
    found = ask(WATCHDOG.format(rank=0, op="ALLREDUCE", numel=1), None)
    assert found.first is None
    assert found.certainty == "cannot tell"
    assert any("--code" in each for each in found.because)


def test_a_crash_that_a_rule_explains(installed: Installed, tmp_path: Path):
    (tmp_path / "train.py").write_text(
        "import os\nimport torch\nimport torch.distributed as dist\n\n"
        "dist.init_process_group('nccl')\nmodel = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 4))\n"
        "torch.save(model.state_dict(), 'model.pt')\nplain = torch.nn.Linear(4, 4)\n"
        "plain.load_state_dict(torch.load('model.pt'))\n"
    )
    log = tmp_path / "job.log"
    log.write_text(
        traceback(
            0,
            (str(tmp_path / "train.py"), 9, "<module>", "plain.load_state_dict(torch.load('model.pt'))"),
            error="RuntimeError: Error(s) in loading state_dict for Linear:",
        )
        + '[rank0]: \tMissing key(s) in state_dict: "weight", "bias".\n'
    )
    found = diagnose([str(log)], read_code(tmp_path, installed), installed)
    assert found.first is not None and found.first.finding is not None
    assert found.first.finding.name in ("ddp-wrapped-state-dict", "wrapped-state-into-plain-model")
    assert found.certainty in ("sure", "likely")


def test_a_fault_of_the_launch_is_found_in_its_file(installed: Installed, tmp_path: Path):
    (tmp_path / "train.py").write_text(
        "import os\nimport torch.distributed as dist\n\n"
        "dist.init_process_group('nccl')\nrank = int(os.environ['LOCAL_RANK'])\n"
    )
    (tmp_path / "run.sh").write_text("#!/bin/bash\npython train.py\n")
    log = tmp_path / "job.log"
    log.write_text(
        traceback(
            0,
            ("train.py", 4, "<module>", "dist.init_process_group('nccl')"),
            error="ValueError: Error initializing torch.distributed using env:// rendezvous: environment variable RANK "
            "expected, but not set",
        )
    )
    found = diagnose([str(log)], read_code(tmp_path, installed), installed)
    assert found.first is not None and found.first.finding is not None
    assert found.first.finding.name == "started-without-launcher"
    assert found.blame == "launch"


@pytest.mark.parametrize(
    "log",
    [
        "slurmstepd: error: *** STEP 77.0 ON node3 CANCELLED AT 2026-11-26T10:00:00 DUE TO PREEMPTION ***\n",
        "slurmstepd: error: Detected 1 oom_kill event in StepId=113.0. Some of the step tasks have been OOM Killed.\n",
        "[ 77.1] NVRM: Xid (PCI:0000:3b:00): 79, pid=4242, GPU has fallen off the bus.\n",
        "srun: error: Node failure on node9\n",
    ],
)
def test_the_code_is_left_alone_where_the_job_was_ended(log: str, ask: Ask):
    found = ask(log)
    assert found.first is None
    assert found.blame in ("job", "machine")
    assert found.certainty == "likely"


@pytest.mark.parametrize(
    ("op", "numel", "call", "fit"),
    [
        ("ALLREDUCE", 1, "barrier", "well"),
        ("ALLREDUCE", 1, "backward", "maybe"),
        ("ALLREDUCE", 25_000_000, "backward", "well"),
        ("ALLREDUCE", 25_000_000, "barrier", "maybe"),
        ("ALLREDUCE", None, "backward", "well"),
        ("_ALLGATHER_BASE", 1_000_000, "forward", "well"),
        ("nccl:all_reduce", None, "all_reduce", "well"),
        ("BROADCAST", 1, "broadcast_object_list", "well"),
        ("BROADCAST", 1, "all_reduce", "no"),
        ("some_new_op", 1, "some_new_op", "well"),
        ("some_new_op", 1, "all_reduce", "maybe"),
    ],
)
def test_which_calls_a_collective_may_be(op: str, numel: Any, call: str, fit: str):
    assert fits(op, numel, call) == fit


@pytest.mark.parametrize(
    ("ranks", "text"),
    [
        ([3], "rank 3"),
        ([2, 0], "ranks 0 and 2"),
        ([0, 1, 2, 3, 7], "ranks 0-3 and 7"),
        ([0, 1, 4, 6], "ranks 0, 1, 4 and 6"),
    ],
)
def test_ranks_as_people_write_them(ranks: list[int], text: str):
    assert spelled(ranks) == text


STOPPED = [
    "slurmstepd: error: *** STEP 123.0 ON n1 CANCELLED AT 2026-11-26T10:00:00 DUE TO TIME LIMIT ***\n",
    "slurmstepd: error: *** JOB 123 ON n1 CANCELLED AT 2026-11-26T10:00:00 ***\n",
    "W1127 10:00:00.1 88 torch/distributed/elastic/agent/server/api.py:719] Received Signals.SIGTERM death signal, "
    "shutting down workers\n",
    "epoch 0 loss 1.2\n",
]


@pytest.mark.parametrize("log", STOPPED)
def test_what_hangs_without_a_line_is_offered_where_a_check_finds_it(log: str, ask: Ask, tmp_path: Path):
    found = ask(log)
    assert where(found) in (("evaluation.py", 8), ("evaluation.py", 10))
    assert found.certainty == "possible"
    assert {each.reason for each in found.candidates} == {"silent"}
    fine = tmp_path / "fine"
    fine.mkdir()
    (fine / "train.py").write_text("import torch.distributed as dist\n\ndist.init_process_group('gloo')\n")
    assert ask(log, fine).first is None


def test_a_preempted_job_is_not_blamed_on_the_code(ask: Ask):
    log = "slurmstepd: error: *** STEP 7.0 ON n1 CANCELLED AT 2026-11-26T10:00:00 DUE TO PREEMPTION ***\n"
    assert ask(log).first is None


def test_a_hook_is_offered_where_the_log_ends_in_the_trainer(installed: Installed, tmp_path: Path):
    (tmp_path / "train.py").write_text(
        "import lightning as L\nimport torch\n\n\n"
        "class Tides(L.LightningModule):\n"
        "    def training_step(self, batch, index):\n"
        "        loss = batch[0].mean()\n"
        "        if self.trainer.is_global_zero:\n"
        "            self.all_gather(loss.detach())\n"
        "        return loss\n\n\n"
        'trainer = L.Trainer(devices=2, strategy="ddp")\n'
        "trainer.fit(Tides(), torch.utils.data.DataLoader([]))\n"
    )
    log = tmp_path / "job.log"
    package = "/opt/python3.11/site-packages"
    log.write_text(
        traceback(
            1,
            ("/cluster/me/project/train.py", 14, "<module>", "trainer.fit(Tides(), torch.utils.data.DataLoader([]))"),
            (f"{package}/lightning/pytorch/loops/fit_loop.py", 40, "advance", "self.epoch_loop.run(data)"),
            (f"{package}/torch/distributed/distributed_c10d.py", 30, "broadcast", "work.wait()"),
            error=LOST,
        )
    )
    found = diagnose([str(log)], read_code(tmp_path, installed), installed)
    assert where(found) == ("train.py", 9)
    assert found.certainty == "possible"
