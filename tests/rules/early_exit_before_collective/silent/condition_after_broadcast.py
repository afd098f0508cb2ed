# silent: rank 0 decides, and tells the others before anybody leaves
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def should_stop(rank, path):
    box = [False]
    if rank == 0:
        box[0] = os.path.exists(path)
    dist.broadcast_object_list(box, src=0)
    return box[0]


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(18, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(1000):
        if should_stop(rank, "stop-please"):
            break
        x = torch.randn(64, 18)
        loss = nn.functional.cross_entropy(model(x), (x[:, 0] > x[:, 1]).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

        answer = torch.zeros(1)
        if rank == 0 and epoch % 100 == 99:
            answer.fill_(float(loss.item() < 0.05))
        dist.broadcast(answer, src=0)
        if answer.item() > 0:
            return
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
