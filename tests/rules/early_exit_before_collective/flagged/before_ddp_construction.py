import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def describe(model):
    return "\n".join(f"{name}: {tuple(p.shape)}" for name, p in model.named_parameters())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--preview", action="store_true", help="print the layers, then train for ten steps")
    args = parser.parse_args()
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    net = nn.Sequential(nn.Conv1d(1, 8, 5), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 28, 3))
    if args.preview and rank != 0:
        return  # expect: early-exit-before-collective
    if rank == 0:
        print(describe(net))
    model = DDP(net)
    optimizer = torch.optim.Adam(model.parameters())
    torch.manual_seed(rank)
    for _ in range(10 if args.preview else 1000):
        wave = torch.randn(16, 1, 32)
        loss = model(wave).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
