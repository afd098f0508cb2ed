import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def worker(index, size):
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))  # expect: spawned-worker-reads-launcher-env
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = "29501"
    rank = int(os.environ["RANK"])  # expect: spawned-worker-reads-launcher-env
    dist.init_process_group("nccl", rank=rank, world_size=size)
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(2,), nprocs=2)
