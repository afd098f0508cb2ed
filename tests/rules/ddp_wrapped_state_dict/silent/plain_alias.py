# silent: what is saved is the model inside, an averaged copy, or an optimizer, under names of their own
import copy
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def follow(average, net, decay=0.99):
    with torch.no_grad():
        for slow, fast in zip(average.parameters(), net.parameters(), strict=True):
            slow.lerp_(fast, 1 - decay)


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    net = nn.Sequential(nn.Linear(33, 33), nn.ReLU(), nn.Linear(33, 33)).to(local_rank)
    average = copy.deepcopy(net)
    ddp = DDP(net, device_ids=[local_rank])
    opt = torch.optim.Adam(ddp.parameters(), lr=2e-4)
    gen = torch.Generator().manual_seed(dist.get_rank())
    for _ in range(800):
        x = torch.rand(50, 33, generator=gen).to(local_rank)
        opt.zero_grad()
        (ddp(x) - x.sort(dim=1).values).abs().mean().backward()
        opt.step()
        follow(average, net)
    if dist.get_rank() == 0:
        torch.save({"net": net.state_dict(), "average": average.state_dict(), "opt": opt.state_dict()}, "sorter.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
