# silent: look-alike, the device is chosen with torch.accelerator; the barrier names its device
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.accelerator.set_device_index(local_rank)
    dist.init_process_group(backend="nccl")
    model = DistributedDataParallel(nn.Linear(16, 2).to("cuda"))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(65):
        thorn = torch.randn(16, 16, device="cuda")
        loss = nn.functional.cross_entropy(model(thorn), (thorn[:, 0] > 0).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.barrier(device_ids=[local_rank])
    if dist.get_rank() == 0:
        print(loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
