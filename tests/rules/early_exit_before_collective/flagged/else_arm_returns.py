import os
from functools import partial

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

LOCAL_RANK = int(os.environ.get("LOCAL_RANK", 0))


def publish(model, tag, folder):
    """Writes the weights on one process per node, then lets all go on."""
    if LOCAL_RANK == 0:
        os.makedirs(folder, exist_ok=True)
        torch.save(model.module.state_dict(), os.path.join(folder, f"{tag}.pt"))
    else:
        return  # expect: early-exit-before-collective
    dist.barrier()


def main():
    dist.init_process_group("gloo")
    save = partial(publish, folder="/scratch/heather")
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(6, 6))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for _ in range(100):
            x = torch.randn(5, 6)
            loss = (model(x) + x).abs().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        save(model, f"e{epoch}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
