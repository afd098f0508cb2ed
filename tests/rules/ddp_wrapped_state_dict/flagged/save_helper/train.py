import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

from storage import save_weights


def ranker():
    return nn.Sequential(nn.Linear(46, 64), nn.ReLU(), nn.Linear(64, 1))


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = DDP(ranker().to(local_rank), device_ids=[local_rank])
    gen = torch.Generator().manual_seed(40 + dist.get_rank())
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(2000):
        query = torch.rand(2, 16, 46, generator=gen).to(local_rank)
        better, worse = model(query[0]), model(query[1])
        opt.zero_grad()
        nn.functional.softplus(worse - better).mean().backward()
        opt.step()
    if dist.get_rank() == 0:
        save_weights(model, "ranker.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
