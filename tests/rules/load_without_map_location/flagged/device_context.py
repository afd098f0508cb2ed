import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def pretrained(path):
    # A device context decides where new tensors are made; it does not reach torch.load.
    with torch.device("cpu"):
        net = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 4))
        net.load_state_dict(torch.load(path, mmap=True))  # expect: load-without-map-location
    return net


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    ddp = DDP(pretrained("joints.pt").cuda(local_rank), device_ids=[local_rank])
    gen = torch.Generator().manual_seed(dist.get_rank())
    opt = torch.optim.Adam(ddp.parameters(), lr=1e-4)
    for _ in range(500):
        pose = torch.randn(128, 16, generator=gen).cuda(local_rank)
        opt.zero_grad()
        nn.functional.mse_loss(ddp(pose), pose[:, :4]).backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
