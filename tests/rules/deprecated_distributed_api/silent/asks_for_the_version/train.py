# silent: each version has its own name
import os

import torch
import torch.distributed as dist
from packaging import version

NEW = version.parse(torch.__version__) >= version.parse("2.2")


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    x = torch.ones(4, device="cuda")
    out = torch.empty(4 * dist.get_world_size(), device="cuda")
    if tuple(map(int, torch.__version__.split(".")[:2])) >= (1, 13):
        dist.all_gather_into_tensor(out, x)
    else:
        dist._all_gather_base(out, x)
    if NEW:
        dist.all_reduce(x)
    else:
        dist.all_reduce_multigpu([x])
    print(x, out)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
