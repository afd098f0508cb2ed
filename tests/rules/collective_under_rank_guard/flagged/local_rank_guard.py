import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = DDP(nn.Linear(64, 10).cuda(local_rank), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    for step in range(1000):
        scales = torch.randn(64, 64, device=f"cuda:{local_rank}")
        loss = model(scales).logsumexp(1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if local_rank == 0 and step % 100 == 0:
            worst = loss.detach().clone()
            dist.all_reduce(worst, op=dist.ReduceOp.MAX)  # expect: collective-under-rank-guard
            print(step, worst.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
