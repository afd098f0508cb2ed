# silent: FSDP hands attributes on, and a class that derives from DDP in a library adds methods of its own
import os

import torch
import torch.distributed as dist
from mmengine.model import MMDistributedDataParallel
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 4)

    def encode(self, x):
        return self.head(x)

    def train_step(self, x):
        return self.encode(x).mean()

    def forward(self, x):
        return self.encode(x)


def main():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    sharded = FullyShardedDataParallel(Net().cuda())
    stepping = MMDistributedDataParallel(Net().cuda())
    x = torch.ones(2, 8, device="cuda")
    print(sharded.encode(x), stepping.train_step(x))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
