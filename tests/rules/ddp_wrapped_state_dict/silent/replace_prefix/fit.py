# silent: the reader renames the keys itself
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def encoder():
    return nn.GRU(4, 16)


def main():
    gpu = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(gpu)
    dist.init_process_group("nccl")
    model = DistributedDataParallel(encoder().cuda(gpu), device_ids=[gpu])
    gen = torch.Generator().manual_seed(dist.get_rank())
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(200):
        out, _ = model(torch.rand(12, 8, 4, generator=gen).cuda(gpu))
        opt.zero_grad()
        out.var(dim=0).mean().neg().backward()
        opt.step()
    if dist.get_rank() == 0:
        torch.save({"encoder": model.state_dict()}, "encoder.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
