# silent: a tensor that a module keeps goes to the GPU with the module
import os

import torch
import torch.distributed as dist
from torch import nn


class Queue(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.register_buffer("keys", torch.randn(size, 8))
        self.register_buffer("pointer", torch.zeros(1, dtype=torch.long))

    def share(self):
        dist.broadcast(self.keys, src=0)
        dist.broadcast(self.pointer, src=0)


def main():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    queue = Queue(128).cuda()
    queue.share()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
