# silent: the variables are set before, by the process or by the one that starts it
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def worker(rank):
    os.environ.update({"RANK": str(rank), "LOCAL_RANK": str(rank)})
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29501")
    os.environ["WORLD_SIZE"] = "2"
    mp.spawn(worker, nprocs=2)
