import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.checkpoint import checkpoint


class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(64, 64)
        self.last = nn.Linear(64, 8)

    def forward(self, values):
        return self.last(checkpoint(self.first, values))


def main():
    dist.init_process_group("nccl")
    device = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(device)
    model = DistributedDataParallel(Deep().to(device), device_ids=[device], find_unused_parameters=True)
    with torch.no_grad():
        print(model(torch.rand(4, 64).cuda()))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
