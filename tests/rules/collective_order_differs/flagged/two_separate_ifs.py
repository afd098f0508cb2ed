import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def finish_epoch(rank, model, seen, epoch):
    if rank == 0:
        torch.save(model.module.state_dict(), f"epoch{epoch}.pt")
        dist.barrier()  # expect: collective-order-differs
    dist.all_reduce(seen)
    if rank != 0:
        dist.barrier()
    return int(seen)


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(50, 5).cuda(local_rank), device_ids=[local_rank])
    optimizer = torch.optim.AdamW(model.parameters())
    for epoch in range(4):
        seen = torch.zeros(1, device="cuda")
        for _ in range(60):
            x = torch.randn(32, 50, device="cuda")
            loss = nn.functional.cross_entropy(model(x), x[:, :5].argmin(1))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            seen += len(x)
        finish_epoch(rank, model, seen, epoch)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
