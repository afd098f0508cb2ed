# silent: one barrier in each arm, before the work in one and after it in the other
import os
import urllib.request

import torch
import torch.distributed as dist
from torch import nn


def ensure(path, url):
    if dist.get_rank() == 0:
        if not os.path.exists(path):
            urllib.request.urlretrieve(url, path)
        dist.barrier()
    else:
        dist.barrier()
        print("found", path)


def main():
    dist.init_process_group("gloo")
    ensure("words.pt", "https://example.org/words.pt")
    words = torch.load("words.pt", map_location="cpu")
    torch.manual_seed(0)
    net = nn.Linear(words.shape[1], 4)
    with torch.no_grad():
        total = net(words).sum(0)
    dist.all_reduce(total)
    if dist.get_rank() == 0:
        print(total.tolist())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
