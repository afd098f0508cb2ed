# silent: the group has a method of that name
import os

import torch
import torch.distributed as dist
import mine


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    x = torch.ones(4, device="cuda")
    out = torch.empty(4 * dist.get_world_size(), device="cuda")
    group = mine.Group()
    group.all_reduce_multigpu([x])
    print(group.reduce_op)
    print(x, out)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
