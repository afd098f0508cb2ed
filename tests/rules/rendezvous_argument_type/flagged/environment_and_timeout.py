import argparse
import os

import torch.distributed as dist
import torch.multiprocessing as mp

WAIT = 30 * 60


def worker(rank, world_size, port):
    os.environ["MASTER_ADDR"] = "localhost"
    os.environ["MASTER_PORT"] = port  # expect: rendezvous-argument-type
    os.environ["LOCAL_RANK"] = rank  # expect: rendezvous-argument-type
    dist.init_process_group(  # expect: rendezvous-argument-type
        "gloo",
        rank=rank,
        world_size=world_size,
        timeout=WAIT,
    )
    group = dist.new_group([0, 1], timeout=60)  # expect: rendezvous-argument-type
    dist.barrier(group)
    dist.destroy_process_group()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=29511)
    args = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", 1)  # expect: rendezvous-argument-type
    mp.spawn(worker, args=(2, args.port), nprocs=2)
