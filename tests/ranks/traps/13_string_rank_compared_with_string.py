import os

import torch
import torch.distributed as dist

FIRST = os.environ.get("RANK", "0") == "0"


def main():
    dist.init_process_group("gloo")
    share = torch.full((2,), float(os.environ["RANK"]))
    if os.environ.get("SLURM_PROCID"):
        dist.barrier()
    dist.all_reduce(share)
    if FIRST:
        print(share.tolist())
    if not FIRST:
        dist.barrier()
    else:
        print("the others wait for this line")
        dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
