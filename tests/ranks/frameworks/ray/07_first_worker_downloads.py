import os

import torch
import torch.distributed as dist
from ray import train
from ray.train import ScalingConfig
from ray.train.torch import TorchTrainer, get_device


def fetch(folder):
    os.makedirs(folder, exist_ok=True)


def loop():
    context = train.get_context()
    if context.get_local_rank() == 0:
        fetch(f"/tmp/shells-{context.get_node_rank()}")
    dist.barrier()
    if context.get_world_rank() == 0:
        dist.barrier()
    else:
        dist.barrier()
    count = torch.ones(1, device=get_device())
    dist.all_reduce(count)
    train.report({"workers": count.item()})


if __name__ == "__main__":
    TorchTrainer(loop, scaling_config=ScalingConfig(num_workers=4, use_gpu=True)).fit()
