# silent: map_location="cuda" means the current GPU, and each process has chosen its own before
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def radar_batches(steps, rank, device):
    gen = torch.Generator().manual_seed(300 + rank)
    for _ in range(steps):
        echo = torch.randn(16, 64, generator=gen)
        yield echo.to(device), echo.roll(1, dims=1).to(device)


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    net = nn.Linear(64, 64).to(device)
    net.load_state_dict(torch.load("radar_start.pt", map_location="cuda"))
    ddp = DDP(net, device_ids=[local_rank])
    opt = torch.optim.SGD(ddp.parameters(), lr=0.01, momentum=0.9)
    for echo, target in radar_batches(200, dist.get_rank(), device):
        opt.zero_grad()
        nn.functional.mse_loss(ddp(echo), target).backward()
        opt.step()
    if dist.get_rank() == 0:
        torch.save(net.state_dict(), "radar.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
