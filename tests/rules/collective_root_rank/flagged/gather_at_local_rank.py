import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(18, 3).cuda(), device_ids=[local_rank])
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(120):
        x = torch.randn(32, 18, device="cuda")
        loss = nn.functional.cross_entropy(model(x), x[:, :3].argmax(1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    rows = [torch.zeros_like(loss) for _ in range(world_size)] if rank == 0 else None
    dist.gather(loss.detach(), rows, dst=local_rank)  # expect: collective-root-rank
    if rank == 0:
        print(torch.stack(rows).tolist())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
