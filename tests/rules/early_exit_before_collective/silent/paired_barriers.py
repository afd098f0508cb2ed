# silent: barriers under opposite guards pair up, also with a further condition on both
import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def cached_table(args, evaluate=False):
    if args.local_rank not in (-1, 0) and not evaluate:
        dist.barrier()  # the first process makes the cache
    path = os.path.join(args.folder, f"table{args.local_rank if evaluate else ''}.pt")
    if os.path.exists(path):
        table = torch.load(path, map_location="cpu")
    else:
        table = torch.randn(2000, 8, generator=torch.Generator().manual_seed(3))
        if args.local_rank in (-1, 0):
            torch.save(table, path)
    if args.local_rank == 0 and not evaluate:
        dist.barrier()
    return table


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", default="cache")
    args = parser.parse_args()
    args.local_rank = int(os.environ.get("LOCAL_RANK", -1))
    dist.init_process_group("gloo")
    dataset = TensorDataset(cached_table(args))
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=50, sampler=sampler)
    model = DDP(nn.Linear(8, 8))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for (x,) in loader:
            loss = (model(x) - x.cumsum(1)).abs().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    if dist.get_rank() == 0:
        held_out = cached_table(args, evaluate=True)
        with torch.no_grad():
            print((model.module(held_out) - held_out.cumsum(1)).abs().mean().item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
