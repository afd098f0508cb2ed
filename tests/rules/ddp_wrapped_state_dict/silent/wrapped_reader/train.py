# silent: the other script wraps its model before it loads
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = DDP(nn.Linear(7, 2).to(local_rank), device_ids=[local_rank])
    gen = torch.Generator().manual_seed(dist.get_rank())
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        x = torch.randn(25, 7, generator=gen).to(local_rank)
        opt.zero_grad()
        nn.functional.cross_entropy(model(x), (x.sum(1) > 0).long()).backward()
        opt.step()
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), "sign.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
