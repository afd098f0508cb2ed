import json

import horovod.torch as hvd
import torch
from torch import nn


def load_plan(path):
    if hvd.rank() == 0:
        with open(path) as file:
            plan = json.load(file)
    else:
        plan = hvd.broadcast_object(None, root_rank=0)  # expect: collective-under-rank-guard
    return plan


def main():
    hvd.init()
    plan = load_plan("plan.json")
    torch.manual_seed(plan["seed"])
    net = nn.Linear(plan["width"], 1)
    optimizer = hvd.DistributedOptimizer(torch.optim.SGD(net.parameters(), lr=0.1 * hvd.size()), net.named_parameters())
    hvd.broadcast_parameters(net.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    generator = torch.Generator().manual_seed(hvd.rank())
    for _ in range(100):
        canals = torch.rand(10, plan["width"], generator=generator)
        optimizer.zero_grad()
        net(canals).square().mean().backward()
        optimizer.step()


if __name__ == "__main__":
    main()
