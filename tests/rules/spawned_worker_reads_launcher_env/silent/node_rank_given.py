# silent: each machine is told its number, and the rank is computed
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def worker(gpu, gpus):
    node = int(os.environ["NODE_RANK"])
    rank = node * gpus + gpu
    torch.cuda.set_device(gpu)
    dist.init_process_group("nccl", rank=rank, world_size=int(os.environ["WORLD_SIZE"]))
    dist.destroy_process_group()


if __name__ == "__main__":
    count = torch.cuda.device_count()
    mp.spawn(worker, args=(count,), nprocs=count)
