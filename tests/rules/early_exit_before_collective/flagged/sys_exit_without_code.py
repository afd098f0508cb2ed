import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def train(model, steps):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(steps):
        x = torch.rand(20, 5)
        loss = nn.functional.l1_loss(model(x), x.flip(1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.detach()


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank() + 1)
    model = DDP(nn.Linear(5, 5))
    loss = train(model, 400)
    if dist.get_rank() != 0:
        sys.exit()  # expect: early-exit-before-collective
    dist.all_reduce(loss)
    print("mean of the last losses:", loss.item() / dist.get_world_size())
    torch.save(model.module.state_dict(), "mirror.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
