import os

import torch
import torch.distributed as dist
from torch import nn


class LowRankAdapter(nn.Module):
    """`rank` is the width of the two small matrices; 0 switches the adapter off."""

    def __init__(self, size, rank):
        super().__init__()
        self.rank = rank
        self.scale = 16 / rank if rank > 0 else 0.0
        if rank > 0:
            self.down = nn.Linear(size, rank, bias=False)
            self.up = nn.Linear(rank, size, bias=False)

    def forward(self, hidden):
        if self.rank == 0:
            return hidden
        return hidden + self.up(self.down(hidden)) * self.scale

    def share(self):
        if self.rank == 0:
            return
        for parameter in self.parameters():
            dist.broadcast(parameter.data, src=0)


def build(size, rank):
    adapter = LowRankAdapter(size, rank)
    if rank > 0:
        adapter.share()
    return adapter


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    adapter = build(32, rank=int(os.environ.get("LORA_RANK", "8")))
    if adapter.rank != 0:
        dist.barrier()
    print(adapter(torch.ones(1, 32)).sum().item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
