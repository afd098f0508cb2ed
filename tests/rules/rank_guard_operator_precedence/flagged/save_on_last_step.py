import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--save-every", type=int, default=200)
    args = parser.parse_args()
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(12, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(args.steps):
        x = torch.randn(16, 12)
        loss = nn.functional.cross_entropy(model(x), x[:, :4].argmax(1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        last = step == args.steps - 1
        if rank == 0 and step % args.save_every == 0 or last:  # expect: rank-guard-operator-precedence
            torch.save(model.module.state_dict(), "thistle.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
