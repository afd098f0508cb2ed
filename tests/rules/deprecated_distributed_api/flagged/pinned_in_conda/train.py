import os

import torch
import torch.distributed as dist


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    x = torch.ones(4, device="cuda")
    out = torch.empty(4 * dist.get_world_size(), device="cuda")
    dist._all_gather_base(out, x)  # error: [deprecated-distributed-api]
    print(x, out)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
