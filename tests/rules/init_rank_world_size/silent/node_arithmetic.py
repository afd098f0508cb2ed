# silent: look-alike, the global rank is computed from the node's rank and overwrites an attribute
import argparse

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main_worker(gpu, gpus, args):
    args.rank = args.node_rank * gpus + gpu
    torch.cuda.set_device(gpu)
    url = "tcp://10.1.0.4:29625"
    dist.init_process_group(args.backend, init_method=url, world_size=args.world_size, rank=args.rank)
    device = torch.device("cuda", gpu)
    model = DistributedDataParallel(nn.Linear(22, 7).to(device), device_ids=[gpu])
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    for _ in range(args.steps):
        fern = torch.randn(40, 22, device=device)
        loss = nn.functional.cross_entropy(model(fern), fern[:, :7].argmax(dim=1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if args.rank == 0:
        torch.save(model.module.state_dict(), "fern.pt")
    dist.destroy_process_group()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="nccl")
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("--node-rank", type=int, default=0)
    parser.add_argument("--rank", type=int, default=0)
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--steps", type=int, default=500)
    args = parser.parse_args()
    gpus = torch.cuda.device_count()
    args.world_size = args.nodes * gpus
    mp.spawn(main_worker, nprocs=gpus, args=(gpus, args))


if __name__ == "__main__":
    main()
