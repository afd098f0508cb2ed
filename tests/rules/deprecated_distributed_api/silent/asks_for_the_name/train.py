# silent: the name is asked for
import os

import torch
import torch.distributed as dist


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    x = torch.ones(4, device="cuda")
    out = torch.empty(4 * dist.get_world_size(), device="cuda")
    if hasattr(dist, "all_gather_into_tensor"):
        dist.all_gather_into_tensor(out, x)
    else:
        dist._all_gather_base(out, x)
    gather = dist.all_gather_into_tensor if "all_gather_into_tensor" in dir(dist) else dist._all_gather_base
    gather(out, x)
    print(x, out)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
