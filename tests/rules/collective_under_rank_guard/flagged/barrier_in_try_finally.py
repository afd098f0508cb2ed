import shutil
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def export(model, rank):
    if rank == 0:
        folder = tempfile.mkdtemp()
        try:
            torch.save(model.module.state_dict(), f"{folder}/weights.pt")
            shutil.copy(f"{folder}/weights.pt", "shells.pt")
        finally:
            shutil.rmtree(folder)
            dist.barrier()  # expect: collective-under-rank-guard


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = DDP(nn.Linear(4, 4, bias=False))
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
    generator = torch.Generator().manual_seed(rank)
    for _ in range(250):
        shells = torch.rand(16, 4, generator=generator)
        loss = (model(shells) - shells.sort(1).values).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    export(model, rank)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
