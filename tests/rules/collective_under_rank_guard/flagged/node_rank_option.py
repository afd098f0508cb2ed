import argparse

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def train(local_rank, args):
    gpus = torch.cuda.device_count()
    rank = args.node_rank * gpus + local_rank
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl", rank=rank, world_size=args.nnodes * gpus)
    model = DDP(nn.Linear(12, 1).cuda(local_rank), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for step in range(500):
        loss = model(torch.randn(16, 12, device="cuda")).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if args.node_rank == 0 and step % 100 == 0:
            mean = loss.detach().clone()
            dist.all_reduce(mean)  # error: [collective-under-rank-guard]
            print(step, mean.item())
    dist.destroy_process_group()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nnodes", type=int, default=2)
    parser.add_argument("--node-rank", type=int, required=True)
    args = parser.parse_args()
    mp.spawn(train, args=(args,), nprocs=torch.cuda.device_count())


if __name__ == "__main__":
    main()
