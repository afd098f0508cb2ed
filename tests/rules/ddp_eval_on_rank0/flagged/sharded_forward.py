import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def main():
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    model = FSDP(nn.Sequential(nn.Linear(64, 256), nn.GELU(), nn.Linear(256, 64)).cuda())
    optimizer = torch.optim.AdamW(model.parameters())
    probe = torch.rand(4, 64, generator=torch.Generator().manual_seed(1)).cuda()
    for step in range(500):
        loss = model(torch.rand(16, 64, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 0 and rank == 0:
            with torch.no_grad():
                print(step, model(probe).norm().item())  # expect: ddp-eval-on-rank0
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
