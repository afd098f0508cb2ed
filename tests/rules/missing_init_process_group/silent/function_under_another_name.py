# silent: init_process_group is called through a name, a partial and a table
import functools
import os

import torch
import torch.distributed as dist

start = dist.init_process_group
starters = {
    "cpu": functools.partial(start, "gloo"),
    "any": functools.partial(dist.init_process_group, backend="cpu:gloo"),
}


def total(value):
    box = torch.tensor([float(value)])
    dist.all_reduce(box)
    return box.item()


def main():
    begin = starters[os.environ.get("STARTER", "cpu")]
    begin()
    answer = total(dist.get_rank())
    if dist.get_rank() == 0:
        print(answer, "over", dist.get_world_size())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
