# silent: each branch moves the module before it wraps it; the cpu module has no device_ids
import argparse

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn


def main_worker(gpu, args):
    backend = "nccl" if args.cuda else "gloo"
    if args.cuda:
        torch.cuda.set_device(gpu)
    dist.init_process_group(backend, init_method="tcp://127.0.0.1:29123", rank=gpu, world_size=args.processes)
    model = nn.Sequential(nn.Linear(27, 27), nn.ReLU(), nn.Linear(27, 3))
    if args.cuda:
        model.cuda(gpu)
        model = nn.parallel.DistributedDataParallel(model, device_ids=[gpu])
        device = torch.device("cuda", gpu)
    else:
        model = nn.parallel.DistributedDataParallel(model)
        device = torch.device("cpu")
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    gen = torch.Generator().manual_seed(gpu)
    for _ in range(100):
        x = torch.randn(16, 27, generator=gen).to(device)
        opt.zero_grad()
        nn.functional.cross_entropy(model(x), x[:, :3].argmax(1)).backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--processes", type=int, default=2)
    args = parser.parse_args()
    args.cuda = torch.cuda.is_available()
    mp.spawn(main_worker, nprocs=args.processes, args=(args,))
