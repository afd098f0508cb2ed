import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = FSDP(nn.Sequential(nn.Linear(24, 96), nn.GELU(), nn.Linear(96, 4)), device_id=local_rank)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    generator = torch.Generator().manual_seed(rank)
    for _ in range(100):
        batch = torch.rand(16, 24, generator=generator).cuda(local_rank)
        optimizer.zero_grad()
        model(batch).logsumexp(dim=-1).mean().backward()
        optimizer.step()
    if rank == 0:
        torch.save(model.state_dict(), "coral.pt")  # expect: sharded-state-under-rank-guard
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
