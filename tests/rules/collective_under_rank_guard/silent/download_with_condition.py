# silent: the download idiom, both halves under the same further condition
import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def features(args, evaluate=False):
    if args.local_rank not in [-1, 0] and not evaluate:
        dist.barrier()  # only the first process reads the text, the others use its cache
    path = os.path.join(args.data, "eval.pt" if evaluate else "train.pt")
    if os.path.exists(path):
        table = torch.load(path, map_location="cpu")
    else:
        table = torch.rand(512, 10, generator=torch.Generator().manual_seed(1))
        if args.local_rank in [-1, 0]:
            torch.save(table, path)
    if args.local_rank == 0 and not evaluate:
        dist.barrier()
    return table


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="cache")
    args = parser.parse_args()
    args.local_rank = int(os.environ.get("LOCAL_RANK", -1))
    dist.init_process_group("gloo")
    rows = features(args)
    model = DDP(nn.Linear(10, 2))
    optimizer = torch.optim.AdamW(model.parameters())
    generator = torch.Generator().manual_seed(dist.get_rank())
    for _ in range(90):
        loss = model(rows[torch.randint(len(rows), (8,), generator=generator)]).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if args.local_rank in [-1, 0]:
        with torch.no_grad():
            print(model.module(features(args, evaluate=True)).mean().item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
