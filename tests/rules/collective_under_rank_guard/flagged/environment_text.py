import os

import torch
import torch.distributed as dist
from torch import nn


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(21)
    net = nn.Embedding(100, 12)
    generator = torch.Generator().manual_seed(int(os.environ["RANK"]))
    counts = torch.zeros(100)
    for _ in range(30):
        tokens = torch.randint(100, (256,), generator=generator)
        counts += torch.bincount(tokens, minlength=100)
    if os.environ["RANK"] == "0":
        dist.all_reduce(counts)  # expect: collective-under-rank-guard
        rare = counts.topk(5, largest=False).indices
        print("rarest words", rare.tolist(), net(rare).norm(dim=1).tolist())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
