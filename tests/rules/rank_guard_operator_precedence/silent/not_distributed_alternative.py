# silent: the alternative is that there is one process only
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def save(distributed, rank, net, path):
    if distributed and rank == 0 or not distributed:
        torch.save(net.state_dict(), path)


def log(text):
    if dist.is_initialized() and dist.get_rank() == 0 or not dist.is_initialized():
        with open("lagoon.log", "a") as file:
            file.write(text + "\n")


def main():
    world_size = int(os.environ.get("WORLD_SIZE", 1))
    distributed = world_size > 1
    if distributed:
        dist.init_process_group("gloo")
    rank = dist.get_rank() if distributed else 0
    torch.manual_seed(rank)
    net = nn.Linear(9, 9)
    model = DDP(net) if distributed else net
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(20):
        x = torch.randn(16, 9)
        loss = (model(x) - x.exp()).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log(f"{epoch} {loss.item():.4f}")
        if rank == 0 and epoch % 5 == 0 or world_size == 1:
            torch.save(optimizer.state_dict(), "optimizer.pt")
    save(distributed, rank, net, "lagoon.pt")
    if distributed:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
