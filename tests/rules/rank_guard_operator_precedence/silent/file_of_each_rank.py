# silent: what is done under the condition is fit for every rank: each writes a file of its own
import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--trace", action="store_true")
    parser.add_argument("--trace-all", action="store_true")
    args = parser.parse_args()
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(6, 6))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for _ in range(200):
        x = torch.randn(16, 6)
        loss = (model(x) - x.round()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    if rank == 0 and args.trace or args.trace_all:
        with open(f"trace_{rank}.txt", "w") as file:
            file.writelines(f"{value:.6f}\n" for value in losses)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
