"""The jobs that programs start themselves."""

from __future__ import annotations

from pathlib import PurePath

import pytest

from ddl_lint.analysis.interpreter.project.codebase import name_of
from ddl_lint.jobs.program_starts import ProgramStart, may_start_jobs, program_starts
from ddl_lint.lowering import lower
from ddl_lint.source.document import Document

_SPAWN = "import torch.multiprocessing as mp\nimport torch.distributed as dist\n"
_DISTRIBUTOR = "from pyspark.ml.torch.distributor import TorchDistributor\n"
_SUBMITIT = "import submitit\nexecutor = submitit.AutoExecutor(folder='log')\n"
_SAGEMAKER = "from sagemaker.pytorch import PyTorch\n"


def _starts(text: str) -> list[ProgramStart]:
    path = PurePath("/project/start.py")
    module = lower(Document(path.as_posix(), text), name_of(path, path.parent).name).module
    return list(program_starts(path.as_posix(), text, module)) if may_start_jobs(text.encode()) else []


@pytest.mark.parametrize(
    ("text", "nodes", "processes", "world_size"),
    [
        (
            f"{_SPAWN}def run(rank, world_size):\n    dist.init_process_group(rank=rank, world_size=world_size)\n"
            "def main():\n    world_size = 4\n    mp.spawn(run, args=(world_size,), nprocs=world_size)\n",
            *(1, 4, 4),
        ),
        (
            f"{_SPAWN}def run(i):\n    dist.init_process_group('nccl', world_size=args.world_size)\n"
            "mp.spawn(run, nprocs=4)\n",
            *(None, 4, None),
        ),
        (f"{_SPAWN}mp.spawn(run, nprocs=torch.cuda.device_count())\n", None, None, None),
        ("from accelerate import notebook_launcher\nnotebook_launcher(f, (), 4)\n", 1, 4, 4),
        ("from accelerate import notebook_launcher\nnotebook_launcher(f, num_processes=4, num_nodes=2)\n", 2, 4, 8),
        ("from accelerate import notebook_launcher\nnotebook_launcher(f)\n", 1, None, None),
        ("from sparkdl import HorovodRunner\nHorovodRunner(np=4).run(f)\n", None, None, 4),
        ("from sparkdl import HorovodRunner\nhr = HorovodRunner(np=-2)\nhr.run(f)\n", 1, 2, 2),
        ("from sparkdl import HorovodRunner\nHorovodRunner(np=0).run(f)\n", None, None, None),
        (f"{_DISTRIBUTOR}TorchDistributor(num_processes=4).run('train.py')\n", 1, 4, 4),
        (f"{_DISTRIBUTOR}TorchDistributor(4, local_mode=False).run(f)\n", None, None, 4),
        (f"{_DISTRIBUTOR}TorchDistributor(4, **more).run(f)\n", None, None, None),
        ("from ray.train import ScalingConfig\nScalingConfig(num_workers=16, use_gpu=True)\n", None, None, 16),
        (f"{_SUBMITIT}executor.update_parameters(nodes=2, slurm_ntasks_per_node=4)\n", 2, 4, 8),
        (f"{_SUBMITIT}executor.update_parameters(timeout_min=4)\nexecutor.submit(f)\n", 1, 1, 1),
        (f"{_SUBMITIT}executor.update_parameters(nodes=args.nodes, tasks_per_node=8)\n", None, 8, None),
        (f"{_SUBMITIT}executor.update_parameters(nodes=1)\nexecutor.update_parameters(nodes=2)\n", None, 1, None),
        (
            f"{_SAGEMAKER}PyTorch(entry_point='a.py', instance_count=2, instance_type='ml.p4d.24xlarge',\n"
            "distribution={'torch_distributed': {'enabled': True}})\n",
            *(2, 8, 16),
        ),
        (
            f"{_SAGEMAKER}hosts = 2\ndistribution = {{'mpi': {{'enabled': True, 'processes_per_host': 4}}}}\n"
            "PyTorch(entry_point='a.py', instance_count=hosts, instance_type=kind, distribution=distribution)\n",
            *(2, 4, 8),
        ),
        (
            f"{_SAGEMAKER}PyTorch(entry_point='a.py', instance_count=2, instance_type='ml.new.99xlarge',\n"
            "distribution={'smdistributed': {'dataparallel': {'enabled': True}}})\n",
            *(2, None, None),
        ),
        (f"{_SAGEMAKER}PyTorch(entry_point='a.py', instance_count=2, instance_type=kind)\n", 2, 1, 2),
    ],
)
def test_sizes(text: str, nodes: int | None, processes: int | None, world_size: int | None) -> None:
    (start,) = _starts(text)
    assert (start.nodes, start.processes, start.world_size) == (nodes, processes, world_size)
    assert bool(start.unknown) == (None in (nodes, processes, world_size))


def test_an_estimator() -> None:
    text = "PyTorch(entry_point='a.py', source_dir='src', instance_count=1, framework_version='2.1', instance_type=k)\n"
    (start,) = _starts(f"{_SAGEMAKER}{text}")
    assert (start.launcher, start.script, start.versions) == ("PyTorch", "src/a.py", {"torch": "2.1"})


@pytest.mark.parametrize("text", ["def spawn(f): ...\nspawn(f)\n", "import asyncio\nspawn(x)\n", "x = 1\n"])
def test_what_starts_nothing(text: str) -> None:
    assert not _starts(text)
