# silent: the others leave only in the mode in which no collective follows
import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.nn.parallel import DistributedDataParallel as DDP


def evaluate(args, model, rank, world_size):
    if not args.use_fsdp and rank != 0:
        return {}
    generator = torch.Generator().manual_seed(77)
    x = torch.randn(128, 32, generator=generator)
    network = model if args.use_fsdp else model.module
    with torch.no_grad():
        error = (network(x) - x.tanh()).pow(2).mean()
    if args.use_fsdp:
        dist.all_reduce(error)
        error /= world_size
    if rank == 0:
        print("error", error.item())
    return {"error": error.item()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--use-fsdp", action="store_true")
    args = parser.parse_args()
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(5)
    network = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 32))
    model = FSDP(network) if args.use_fsdp else DDP(network)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    torch.manual_seed(rank)
    for _ in range(5):
        for _ in range(50):
            x = torch.randn(16, 32)
            loss = (model(x) - x.tanh()).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        evaluate(args, model, rank, world_size)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
