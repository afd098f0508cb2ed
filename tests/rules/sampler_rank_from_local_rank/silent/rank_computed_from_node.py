# silent: the global rank is computed from node rank and local rank
import argparse

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def work(local_rank, args):
    rank = args.node_rank * args.gpus_per_node + local_rank
    world_size = args.nodes * args.gpus_per_node
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl", init_method=args.rendezvous, rank=rank, world_size=world_size)
    generator = torch.Generator().manual_seed(16)
    bolts = torch.rand(6000, 10, generator=generator)
    data = TensorDataset(bolts, bolts.median(1, keepdim=True).values)
    sampler = DistributedSampler(data, num_replicas=world_size, rank=rank)
    loader = DataLoader(data, batch_size=60, sampler=sampler)
    torch.manual_seed(0)
    net = DDP(nn.Linear(10, 1).to(local_rank), device_ids=[local_rank])
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for bolt, middle in loader:
            optimizer.zero_grad()
            nn.functional.l1_loss(net(bolt.to(local_rank)), middle.to(local_rank)).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--nodes", type=int, default=1)
    parser.add_argument("--node-rank", type=int, default=0)
    parser.add_argument("--gpus-per-node", type=int, default=4)
    parser.add_argument("--rendezvous", required=True)
    parser.add_argument("--epochs", type=int, default=3)
    args = parser.parse_args()
    mp.spawn(work, args=(args,), nprocs=args.gpus_per_node)
