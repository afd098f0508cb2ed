import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    device = torch.device("cuda", local_rank)
    dist.init_process_group("nccl", device_id=device)
    net = nn.Sequential(nn.Linear(50, 50), nn.SiLU(), nn.Linear(50, 1))
    saved = torch.load("fatigue.pt", map_location="cuda")  # expect: load-without-map-location
    net.load_state_dict(saved)
    ddp = DDP(net.to(device), device_ids=[local_rank])
    gen = torch.Generator().manual_seed(dist.get_rank())
    opt = torch.optim.Adam(ddp.parameters())
    for _ in range(400):
        load_cycle = torch.rand(32, 50, generator=gen).to(device)
        opt.zero_grad()
        (ddp(load_cycle).squeeze(1) - load_cycle.amax(dim=1)).square().mean().backward()
        opt.step()
    if dist.get_rank() == 0:
        torch.save(ddp.module.state_dict(), "fatigue_new.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
