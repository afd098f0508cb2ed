# silent: the condition of the exit is the same on all ranks (settings, epoch number)
import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def summary(args, epoch, loss):
    if args.quiet or epoch % args.every:
        return
    mean = loss.detach().clone()
    dist.all_reduce(mean)
    if dist.get_rank() == 0:
        print(epoch, mean.item() / dist.get_world_size())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=50)
    parser.add_argument("--stop-after", type=int)
    args = parser.parse_args()
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(15, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(args.epochs):
        if args.stop_after is not None and epoch >= args.stop_after:
            break
        x = torch.randn(64, 15)
        loss = (model(x).squeeze(1) - x.amax(1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        summary(args, epoch, loss)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
