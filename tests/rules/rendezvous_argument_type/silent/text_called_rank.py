# silent: the value is called a rank, but it comes from a call that cannot be seen, and may well be a text already
import os

import scheduler
import torch
import torch.distributed as dist


def main():
    local_rank = scheduler.my_devices()[0]
    os.environ["LOCAL_RANK"] = local_rank
    torch.cuda.set_device(int(local_rank))
    dist.init_process_group("nccl")
    total = torch.ones(1, device=f"cuda:{local_rank}")
    dist.all_reduce(total)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
