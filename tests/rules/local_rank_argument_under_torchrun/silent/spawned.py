# silent: the script starts its processes itself, and tells them who they are
import argparse
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def worker(local_rank, args):
    args.local_rank = local_rank
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ.setdefault("MASTER_PORT", "29500")
    torch.cuda.set_device(args.local_rank)
    dist.init_process_group("nccl", rank=args.local_rank, world_size=args.gpus)
    dist.destroy_process_group()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpus", type=int, default=2)
    parser.add_argument("--local_rank", type=int, default=0)
    arguments = parser.parse_args()
    mp.spawn(worker, args=(arguments,), nprocs=arguments.gpus)
