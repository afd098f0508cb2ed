# silent: look-alike, the script beside the training runs alone, with .cuda() and no group
import os

import torch
import torch.distributed as dist
from mussel import Counter
from torch.nn.parallel import DistributedDataParallel


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = DistributedDataParallel(Counter().cuda(), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(85):
        photo = torch.randn(4, 3, 16, 16, device="cuda")
        loss = (model(photo) - photo.relu().sum(dim=(1, 2, 3))).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "mussel.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
