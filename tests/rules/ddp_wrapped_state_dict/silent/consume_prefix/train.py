# silent: the reader strips the prefix with the function that torch has for it
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def build():
    return nn.Sequential(nn.Linear(10, 40), nn.ReLU(), nn.Linear(40, 1))


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = DDP(build().to(local_rank), device_ids=[local_rank])
    gen = torch.Generator().manual_seed(dist.get_rank())
    opt = torch.optim.Adam(model.parameters())
    for _ in range(300):
        x = torch.randn(32, 10, generator=gen).to(local_rank)
        opt.zero_grad()
        nn.functional.mse_loss(model(x).squeeze(1), x.norm(dim=1)).backward()
        opt.step()
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), "norms.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
