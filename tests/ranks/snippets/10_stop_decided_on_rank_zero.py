import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def flat(history, patience=4):
    return len(history) > patience and min(history[-patience:]) >= min(history[:-patience])


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = DDP(nn.Linear(12, 1).cuda(local_rank), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    generator = torch.Generator().manual_seed(rank)
    history = []
    for epoch in range(200):
        soil = torch.rand(64, 12, generator=generator).cuda(local_rank)
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(soil), soil.sum(dim=1, keepdim=True))
        loss.backward()
        optimizer.step()
        stop = False
        if rank == 0:
            history.append(loss.item())
            stop = flat(history)
        if stop:  # expect: rank-guarded-value-steers-collective
            break
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
