import argparse
import enum
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Kind(enum.Enum):
    sharded = "sharded"
    whole = "whole"


def barrier():
    if dist.is_available() and dist.is_initialized():
        dist.barrier()


class Checkpointer:
    def __init__(self, folder):
        self.folder = folder

    def save(self, weights, step, kind):
        path = os.path.join(self.folder, f"step{step}")
        if kind == Kind.sharded:
            barrier()
            torch.save(weights, f"{path}-rank{dist.get_rank()}.pt")
            barrier()
        elif dist.get_rank() == 0:
            torch.save(weights, f"{path}.pt")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sharded", action="store_true")
    args = parser.parse_args()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    kind = Kind.sharded if args.sharded else Kind.whole
    torch.manual_seed(0)
    model = DDP(nn.Linear(8, 8).cuda(local_rank), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    generator = torch.Generator().manual_seed(dist.get_rank())
    checkpointer = Checkpointer("runs")
    for step in range(100):
        optimizer.zero_grad()
        model(torch.rand(4, 8, generator=generator).cuda(local_rank)).square().mean().backward()
        optimizer.step()
        if step % 20 == 0:
            checkpointer.save(model.module.state_dict(), step, kind)
        if step % 50 == 0 and dist.get_rank() == 0:
            checkpointer.save(model.module.state_dict(), step, Kind.whole)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
