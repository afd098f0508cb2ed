import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only-evaluate", action="store_true")
    parser.add_argument("--weights", default="lichen.pt")
    return parser.parse_args()


def evaluate(net, world_size):
    generator = torch.Generator().manual_seed(8)
    x = torch.randn(512, 4, generator=generator)
    error = (net(x).squeeze(1) - x.norm(dim=1)).abs().mean().detach()
    dist.all_reduce(error)
    return error.item() / world_size


def main():
    args = parse()
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    net = nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Linear(64, 1))
    if args.only_evaluate:
        if rank != 0:
            raise SystemExit(0)  # expect: early-exit-before-collective
        net.load_state_dict(torch.load(args.weights, map_location="cpu"))
        print(evaluate(net, world_size))
        return
    model = DDP(net)
    optimizer = torch.optim.Adam(model.parameters())
    torch.manual_seed(rank)
    for _ in range(1000):
        x = torch.randn(32, 4)
        loss = (model(x).squeeze(1) - x.norm(dim=1)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank == 0:
        torch.save(net.state_dict(), args.weights)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
