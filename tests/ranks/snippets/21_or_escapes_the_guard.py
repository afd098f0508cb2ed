import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def is_main():
    return dist.get_rank() == 0


def save(model, path):
    torch.save(model.module.state_dict(), path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--save-every-epoch", action="store_true")
    parser.add_argument("--epochs", type=int, default=5)
    args = parser.parse_args()
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    model = DDP(nn.Linear(6, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    generator = torch.Generator().manual_seed(dist.get_rank())
    for epoch in range(args.epochs):
        for _ in range(30):
            optimizer.zero_grad()
            model(torch.rand(10, 6, generator=generator)).square().mean().backward()
            optimizer.step()
        last = epoch + 1 == args.epochs
        if is_main() and args.save_every_epoch or last:  # expect: rank-guard-operator-precedence
            save(model, "pollen.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
