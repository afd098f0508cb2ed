# silent: what is missing is caught
import os

import torch
import torch.distributed as dist

try:
    from torch.distributed.pipeline.sync import Pipe
except ImportError:
    Pipe = None


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    x = torch.ones(4, device="cuda")
    out = torch.empty(4 * dist.get_world_size(), device="cuda")
    try:
        dist.all_reduce_multigpu([x])
    except AttributeError:
        dist.all_reduce(x)
    print(Pipe)
    print(x, out)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
