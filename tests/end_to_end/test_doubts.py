"""Findings that may be of no consequence: shown to who asks for them, with the reason."""

from __future__ import annotations

import json

GROUP_ONLY = """\
import horovod.torch as hvd
import torch

hvd.init()
model = torch.nn.Linear(2, 2)
with open("results.csv", "w") as file:
    file.write(str(model(torch.zeros(1, 2))))
"""
TRAINING = """\
import json
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group("gloo")
model = DDP(torch.nn.Linear(2, 2))
model(torch.ones(1, 2)).sum().backward()
with open("figures.json", "w") as file:
    json.dump([1], file)
dist.destroy_process_group()
"""
PREPARED = """\
import torch
from accelerate import Accelerator


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.head = torch.nn.Linear(8, 4)

    def forward(self, x):
        return self.head(x)


accelerator = Accelerator()
net = Net()
net, optimizer = accelerator.prepare(net, torch.optim.SGD(net.parameters(), lr=0.1))
accelerator.backward(net(torch.ones(1, 8)).sum())
if accelerator.is_main_process:
    print(net.head)
"""


def test_a_group_that_nothing_is_done_with(project, check):
    project({"infer.py": GROUP_ONLY})
    assert check().diagnostics == []
    (found,) = check("--pedantic").diagnostics
    assert found["confidence"] == "medium"
    assert found["doubt"] == "no launch line or rank check shows that several processes run this script"


def test_a_script_that_is_launched_as_one_process(project, check):
    project({"train.py": TRAINING, "run.sh": "torchrun --nproc_per_node=1 train.py\n"})
    assert check().diagnostics == []
    (found,) = check("--pedantic").diagnostics
    assert found["doubt"] == "each launch line of this script starts one process"


def test_several_processes_leave_no_doubt(project, check):
    project({"train.py": TRAINING, "run.sh": "torchrun --nproc_per_node=2 train.py\n"})
    (found,) = check().diagnostics
    assert (found["confidence"], found["doubt"]) == ("high", None)


def test_a_launcher_that_is_told_of_an_engine(project, check):
    project(
        {
            "tune.py": PREPARED,
            "run.sh": "accelerate launch --config_file zero.yaml tune.py\n",
            "zero.yaml": "distributed_type: DEEPSPEED\nnum_processes: 8\n",
        }
    )
    assert check("--pedantic").diagnostics == []
    project({"other.sh": "accelerate launch tune.py  # as the configuration of this machine says\n"})
    assert check().diagnostics == []
    (found,) = check("--pedantic").diagnostics
    assert found["doubt"] == "a launch line of this script selects an engine that does not wrap models in DDP"
    project({"run.sh": "accelerate launch --use_fsdp --num_processes 8 tune.py\n"})
    assert check().diagnostics == []


def test_a_launcher_that_is_told_of_no_engine(project, check):
    project({"tune.py": PREPARED, "run.sh": "accelerate launch --multi_gpu tune.py  # or --use_deepspeed\n"})
    (found,) = check().diagnostics
    assert (found["name"], found["doubt"]) == ("wrapped-attribute-access", None)


def test_the_reason_is_told(project, run):
    project({"infer.py": GROUP_ONLY})
    result = run("check", "--pedantic", "infer.py")
    assert "medium confidence: no launch line or rank check shows that several processes run this script" in result.out


HELPER = """\
import torch


def restore(net, path):
    net.load_state_dict(torch.load(path))


def shown(epoch):
    print(epoch)
"""
ON_GPUS = """\
import os
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from helpers import shown

torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
dist.init_process_group("nccl")
model = DDP(torch.nn.Linear(2, 2).cuda())
model(torch.ones(1, 2).cuda()).sum().backward()
shown(0)
dist.destroy_process_group()
"""


def test_a_helper_that_loads_and_that_nobody_calls(project, check):
    project({"helpers.py": HELPER, "train.py": ON_GPUS})
    assert check().diagnostics == []
    (found,) = check("--pedantic").diagnostics
    assert found["file"] == "helpers.py"
    assert found["doubt"] == "no code of this project calls the function that loads it"


def test_a_helper_beside_no_job(project, check):
    project({"helpers.py": HELPER, "infer.py": "from helpers import shown\n\nshown(0)\n"})
    assert check("--pedantic").diagnostics == []


TRAINER = """\
import torch
from accelerate import Accelerator


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.width = 2
        self.head = torch.nn.Linear(2, 1)

    def forward(self, x):
        return self.head(x)


class Trainer:
    def __init__(self, net: Net):
        self.accelerator = Accelerator()
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        self.net, self.optimizer = self.accelerator.prepare(net, self.optimizer)

    def step(self, x):
        self.accelerator.backward(self.net(x).sum())
        return self.net.width
"""
NOTEBOOK = """\
{"cells": [{"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], "source":
["import torch\\n", "from trainer import Net, Trainer\\n", "Trainer(Net()).step(torch.ones(1, 2))"]}],
"metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
"""


def test_what_a_notebook_shows_may_be_made_for_several_processes(project, check):
    project({"trainer.py": TRAINER, "demo.ipynb": NOTEBOOK})
    (found,) = check().diagnostics
    assert (found["name"], found["file"]) == ("wrapped-attribute-access", "trainer.py")


READER = """\
{"cells": [{"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], "source":
["import torch.distributed as dist\\n", "def read(args):\\n", "    if args.local_rank not in [-1, 0]:\\n",
"        dist.barrier()\\n", "    return open('notes.txt').read()"]},
{"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], "source":
["from workbench import Options\\n", "read(Options({'local_rank': -1}))"]}],
"metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
"""


def test_a_notebook_need_not_be_the_rank_that_is_asked_for(project, check):
    project({"read.ipynb": READER})
    assert check().diagnostics == []


def test_no_launcher_tells_a_notebook_who_it_is(project, check):
    project({"read.ipynb": READER.replace("    if args.local_rank not in [-1, 0]:", "    for _ in range(2):")})
    (found,) = check().diagnostics
    assert (found["name"], found["fix"]) == ("missing-init-process-group", None)


SETUP = """\
import torch.distributed as dist


class Job:
    def __init__(self):
        dist.init_process_group("gloo")
        self.rank = dist.get_rank()


def job_of(config):
    if config.get("job") is None:
        return None
    return Job()


def log_name(config):
    job = job_of(config)
    return "log" if job is None else f"log{job.rank}"
"""
TOOL = """\
import argparse
import json
from common import log_name

parser = argparse.ArgumentParser()
parser.add_argument("--config")
args = parser.parse_args()
config = json.load(open(args.config))
with open(log_name(config), "a") as log:
    log.write("started")
with open("names.json", "w") as file:
    json.dump(sorted(config), file)
"""


def test_a_tool_whose_library_makes_a_group_on_demand(project, check):
    project({"common.py": SETUP, "tool.py": TOOL})
    assert check().diagnostics == []
    (found,) = check("--pedantic", "--select", "unguarded-filesystem-write").diagnostics
    assert (found["name"], found["doubt"]) == (
        "unguarded-filesystem-write",
        "the process group is created only if a setting asks for it",
    )


def test_a_launched_tool_leaves_no_doubt(project, check):
    project({"common.py": SETUP, "tool.py": TOOL, "run.sh": "torchrun --nproc_per_node=2 tool.py\n"})
    (found,) = check().diagnostics
    assert (found["name"], found["confidence"]) == ("unguarded-filesystem-write", "high")


DRIVER = """\
import lightning as L
import mlflow
import torch
from pyspark.ml.torch.distributor import TorchDistributor

class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.head = torch.nn.Linear(4, 1)
    def training_step(self, batch, index):
        return self.head(batch).mean()
    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)

def work(run_id):
    trainer = L.Trainer(devices=2, strategy="ddp")
    if trainer.global_rank == 0:
        print(run_id)
    trainer.fit(Net(), torch.utils.data.DataLoader(torch.ones(8, 4)))

with mlflow.start_run(run_name="alone"):
    L.Trainer(devices=1, num_nodes=1).fit(Net(), torch.utils.data.DataLoader(torch.ones(8, 4)))
with mlflow.start_run(run_name="several") as run:
    TorchDistributor(num_processes=2).run(work, run.info.run_id)
"""


def test_the_cells_of_a_notebook_are_the_driver(project, check):
    cells = [{"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": [DRIVER]}]
    notebook = {"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    project({"demo.ipynb": json.dumps(notebook)})
    assert check("--pedantic").diagnostics == []


def test_a_directive_that_is_switched_off_among_comments(project, check):
    job = "#!/bin/sh\n#SBATCH -N 2\n# SBATCH -p short\n\n%smodule load tern\nsrun python train.py\n"
    project({"job.sh": job % "#"})
    assert check().diagnostics == []
    (found,) = check("--pedantic").diagnostics
    assert found["doubt"] == "it is among the comments after all others, perhaps on purpose"
    project({"job.sh": job % ""})
    assert check().diagnostics == []
    (found,) = check("--pedantic").diagnostics
    assert found["name"] == "sbatch-directive-ineffective"
    assert found["doubt"] == "the blank may have been written on purpose, to switch the line off"
