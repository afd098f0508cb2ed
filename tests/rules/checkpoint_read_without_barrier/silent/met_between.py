# silent: another collective or the construction of DDP stands between
import json
import os
import time

import torch
import torch.distributed as dist
from torch import nn


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    net = nn.Linear(4, 4)
    if rank == 0:
        torch.save(net.state_dict(), "init.pt")
    model = nn.parallel.DistributedDataParallel(net)
    model.module.load_state_dict(torch.load("init.pt", map_location="cpu"))
    if rank == 0:
        with open("classes.json", "w") as handle:
            json.dump(["a"], handle)
    count = torch.ones(1)
    dist.all_reduce(count)
    with open("classes.json") as handle:
        print(json.load(handle))
    print(net, os.sep, time.time(), json.dumps(rank))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
