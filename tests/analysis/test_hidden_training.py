"""Whether a trace can tell that the training loop is out of sight, and what the libraries print at a hang."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from ddl_lint.analysis.ranks.communication import Communication
from ddl_lint.check import rank_questions
from ddl_lint.project.config import Settings


@pytest.fixture
def shown(tmp_path: Path) -> Callable[[str], Communication]:
    def run(program: str) -> Communication:
        main = tmp_path / "main.py"
        main.write_text(textwrap.dedent(program), encoding="utf-8")
        return rank_questions.trace(main, Settings()).communication

    return run


def hidden(communication: Communication) -> str:
    return communication.hidden.name if communication.hidden is not None else ""


@pytest.mark.parametrize(
    "call",
    [
        "from cluster import pretrain\npretrain(model, step)",
        "import cluster.loop\ncluster.loop.train_model(model)",
        "from cluster import Trainer\ntrainer = Trainer()\ntrainer.fit(torch.nn.Linear(1, 1))",
        "from megatron.training import pretrain\npretrain(step, model, None, step)",
    ],
)
def test_a_loop_out_of_sight(shown, call):
    program = (
        "import torch\nimport torch.distributed as dist\n\n"
        f'dist.init_process_group("nccl")\nmodel = step = print\n{call}\n'
    )
    assert hidden(shown(program)) in ("pretrain", "train_model", "fit")


@pytest.mark.parametrize(
    "call",
    [
        "model.train()",  # chooses a mode
        "from cluster import get_train_loader\nget_train_loader(model)",
        "from cluster import trained\ntrained(model)",
        "from cluster import Scaler\nscaler = Scaler()\nscaler.fit([1, 2])",
        "from sklearn.model_selection import train_test_split\ntrain_test_split(model)",
        "from cluster import pretrain\nloss = model(1).sum()\nloss.backward()\npretrain(model)",
    ],
)
def test_a_loop_in_sight_or_none(shown, call):
    program = (
        "import torch\nimport torch.distributed as dist\n\n"
        f'dist.init_process_group("nccl")\nmodel = torch.nn.Linear(1, 1)\n{call}\n'
    )
    assert hidden(shown(program)) == ""


def test_what_is_called_back_does_not_count_as_the_loop(shown):
    program = """\
        import torch.distributed as dist
        from cluster import pretrain

        def step(model, batch):
            model(batch).backward()

        dist.init_process_group("nccl")
        pretrain(step)
    """
    assert hidden(shown(program)) == "pretrain"


def test_what_makes_an_object_is_no_step(shown):
    program = """\
        from dataclasses import dataclass
        import torch.distributed as dist
        from cluster import BroadcastConfig, GatherPlan, pretrain, sync_all

        @dataclass
        class AllReduceConfig:
            size: int = 1

            def run(self):
                dist.barrier()

        dist.init_process_group("nccl")
        pretrain(BroadcastConfig(GatherPlan()), AllReduceConfig)
        sync_all()
    """
    assert [row.lead.name for row in shown(program).rows] == ["init_process_group", "sync_all"]


HANG = """\
    import datetime
    import torch
    import torch.distributed as dist

    dist.init_process_group({})
    x = torch.ones(1)
    if dist.get_rank() == 1:
        dist.{}
"""


def printed(communication: Communication) -> list[tuple[str, str]]:
    (gap,) = communication.gaps
    return [(report.backend, report.text) for report in gap.reports]


def test_the_watchdog_names_the_operation_and_the_rank(shown):
    ((backend, text),) = printed(shown(HANG.format('"nccl"', "barrier()")))
    assert backend == "nccl"
    assert text.startswith(
        "[Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=..., OpType=ALLREDUCE,"
    )
    assert text.endswith("ran for 600000 milliseconds before timing out.")
    assert "OpType=BROADCAST" in printed(shown(HANG.format('"nccl"', "broadcast(x, 0)")))[0][1]


def test_the_backend_is_that_of_the_program(shown):
    assert printed(shown(HANG.format('"gloo"', "all_reduce(x)"))) == [
        ("gloo", "Timed out waiting 1800000ms for recv operation to complete")
    ]
    both = HANG.format('"nccl" if torch.cuda.is_available() else "gloo"', "all_reduce(x)")
    assert [backend for backend, _ in printed(shown(both))] == ["nccl", "gloo"]
    assert [backend for backend, _ in printed(shown(HANG.format('"mpi"', "all_reduce(x)")))] == []
    assert [backend for backend, _ in printed(shown(HANG.format("", "all_reduce(x)")))] == ["nccl"]


def test_a_timeout_of_the_program_is_not_guessed(shown):
    ((_, text),) = printed(shown(HANG.format('"gloo", timeout=datetime.timedelta(seconds=5)', "all_reduce(x)")))
    assert text == "Timed out waiting ...ms for recv operation to complete"


def test_horovod_has_its_own_words(shown):
    program = """\
        import horovod.torch as hvd
        import torch

        hvd.init()
        if hvd.rank() == 0:
            hvd.allreduce(torch.ones(1))
    """
    ((backend, text),) = printed(shown(program))
    assert backend == "horovod" and text.startswith("One or more tensors were submitted to be reduced")


def test_what_each_process_decides_for_itself_is_marked(shown):
    program = """\
        import time
        import torch
        import torch.distributed as dist

        dist.init_process_group("nccl")
        started = time.time()
        x = torch.ones(1)
        while True:
            dist.all_reduce(x)
            if time.time() - started > 60:
                break
    """
    communication = shown(program)
    ((row, gap),) = [(row, row.gap) for row in communication.rows if row.gap is not None]
    assert row.lead.name == "all_reduce" and gap.certain
    assert gap.reports[0].text.startswith("[Rank ...] Watchdog")
