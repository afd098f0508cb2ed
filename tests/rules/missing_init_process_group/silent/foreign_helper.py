# silent: a set-up helper of a package outside the project may start the group
import argparse

import torch
import torch.distributed as dist
from harbourlab.runtime import init_distributed_mode
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100)
    args = parser.parse_args()
    init_distributed_mode(args)

    model = DDP(nn.Linear(14, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(args.steps):
        cargo = torch.randn(16, 14)
        loss = nn.functional.cross_entropy(model(cargo), cargo[:, :3].argmax(dim=1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 0 and dist.get_rank() == 0:
            print(step, loss.item())
    dist.barrier()


if __name__ == "__main__":
    main()
