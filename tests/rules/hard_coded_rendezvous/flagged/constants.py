import os
from datetime import timedelta

import torch
import torch.distributed as dist

HOST = "10.1.0.7"
PORT = 29500
WAIT = timedelta(minutes=2)


def dist_rank():
    return int(os.environ["RANK"])


def main():
    os.environ["MASTER_PORT"] = str(PORT)  # expect: hard-coded-rendezvous
    local_rank = int(os.environ.get("LOCAL_RANK", 0))
    torch.cuda.set_device(local_rank)
    address = f"tcp://{HOST}:{PORT}"
    dist.init_process_group("nccl", address, timeout=WAIT, world_size=2, rank=dist_rank())  # expect: hard-coded-rendezvous
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
