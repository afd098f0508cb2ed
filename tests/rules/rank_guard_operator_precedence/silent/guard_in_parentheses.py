# silent: parentheses around the guarded part say that the rest is meant for all ranks
import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--debug", action="store_true", help="let every rank print")
    args = parser.parse_args()
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(7, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(300):
        x = torch.randn(16, 7)
        loss = (model(x).squeeze(1) - x[:, 0]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if (rank == 0 and args.verbose) or args.debug:
            print(f"rank {rank} step {step} loss {loss.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
