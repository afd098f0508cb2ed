# silent: the usual test of spawned workers, with the guard of the distributed run behind the alternative
import argparse
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(gpu, args):
    args.rank = args.node * args.gpus + gpu
    if args.multiprocessing_distributed:
        os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
        os.environ.setdefault("MASTER_PORT", "29533")
        dist.init_process_group("gloo", rank=args.rank, world_size=args.nodes * args.gpus)
    torch.manual_seed(args.rank)
    net = nn.Linear(20, 5)
    model = DDP(net) if args.multiprocessing_distributed else net
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(5):
        for _ in range(20):
            x = torch.randn(16, 20)
            loss = nn.functional.cross_entropy(model(x), x[:, :5].argmax(1))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if not args.multiprocessing_distributed or args.multiprocessing_distributed and args.rank % args.gpus == 0:
            torch.save({"epoch": epoch, "net": net.state_dict()}, f"/scratch/newt{epoch}.pt")
    if args.multiprocessing_distributed:
        dist.destroy_process_group()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--multiprocessing-distributed", action="store_true")
    parser.add_argument("--node", type=int, default=0)
    parser.add_argument("--nodes", type=int, default=1)
    parser.add_argument("--gpus", type=int, default=4)
    args = parser.parse_args()
    if args.multiprocessing_distributed:
        mp.spawn(worker, args=(args,), nprocs=args.gpus)
    else:
        worker(0, args)


if __name__ == "__main__":
    main()
