# silent: both arms broadcast the object
import json

import horovod.torch as hvd
import torch
from torch import nn


def plan(path):
    if hvd.rank() == 0:
        with open(path) as file:
            found = hvd.broadcast_object(json.load(file), root_rank=0)
    else:
        found = hvd.broadcast_object(None, root_rank=0)
    return found


def main():
    hvd.init()
    chosen = plan("plan.json")
    torch.manual_seed(chosen["seed"])
    net = nn.Linear(4, 4)
    optimizer = hvd.DistributedOptimizer(torch.optim.SGD(net.parameters(), lr=0.1 * hvd.size()), net.named_parameters())
    hvd.broadcast_parameters(net.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    generator = torch.Generator().manual_seed(hvd.rank())
    for _ in range(20):
        optimizer.zero_grad()
        net(torch.rand(8, 4, generator=generator)).square().mean().backward()
        optimizer.step()


if __name__ == "__main__":
    main()
