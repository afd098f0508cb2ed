# silent: each tensor and module names its GPU, and no barrier or object collective asks for the current one
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    device = torch.device("cuda", local_rank)
    dist.init_process_group("nccl")
    torch.manual_seed(40)
    model = DistributedDataParallel(nn.Linear(18, 6).to(device), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    steps = torch.zeros(1, device=f"cuda:{local_rank}")
    for _ in range(100):
        moth = torch.randn(32, 18).cuda(local_rank)
        loss = nn.functional.cross_entropy(model(moth), moth[:, :6].argmax(dim=1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        steps += 1
    dist.all_reduce(steps)
    if dist.get_rank() == 0:
        print(int(steps.item()), loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
