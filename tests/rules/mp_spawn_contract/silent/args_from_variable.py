# silent: args is a name that holds a tuple (or a list), also in parentheses
import argparse

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def measure(rank, world_size, url, samples):
    dist.init_process_group("gloo", init_method=url, rank=rank, world_size=world_size)
    generator = torch.Generator().manual_seed(rank)
    mean = torch.rand(samples, generator=generator).mean()
    dist.all_reduce(mean)
    if rank == 0:
        print(mean.item() / world_size)
    dist.destroy_process_group()


def run(worker_args, count):
    mp.spawn(measure, args=worker_args, nprocs=count)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    count = options.processes
    fixed = (count, "tcp://127.0.0.1:29642")
    worker_args = (*fixed, 500)
    run(worker_args, count)
    mp.spawn(measure, args=(worker_args), nprocs=count)
    mp.spawn(measure, args=(*fixed, 1000), nprocs=count)
    mp.spawn(measure, args=[count, "tcp://127.0.0.1:29643", 200], nprocs=count)
    mp.spawn(measure, (count, "tcp://127.0.0.1:29644", 100), count)


if __name__ == "__main__":
    main()
