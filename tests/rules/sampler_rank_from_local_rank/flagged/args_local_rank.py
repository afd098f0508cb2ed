import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local-rank", "--local_rank", type=int, default=int(os.environ.get("LOCAL_RANK", 0)))
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--batch-size", type=int, default=41)
    return parser.parse_args()


def shard(data, args):
    return DistributedSampler(data, num_replicas=dist.get_world_size(), rank=args.local_rank)  # expect: sampler-rank-from-local-rank


def main():
    args = parse_args()
    torch.cuda.set_device(args.local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", args.local_rank)
    generator = torch.Generator().manual_seed(6)
    bread = torch.rand(4100, 9, generator=generator)
    data = TensorDataset(bread, bread.sum(1, keepdim=True))
    sampler = shard(data, args)
    loader = DataLoader(data, batch_size=args.batch_size, sampler=sampler)
    torch.manual_seed(0)
    net = DDP(nn.Linear(9, 1).to(device), device_ids=[args.local_rank])
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for loaf, weight in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(loaf.to(device)), weight.to(device)).backward()
            optimizer.step()
        if dist.get_rank() == 0:
            torch.save(net.module.state_dict(), "bread.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
