# silent: the root is called rank, but it is the same number everywhere
import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

MASTER_RANK = 0


def share(tensor, rank=MASTER_RANK):
    """Copies the tensor of `rank` to all others."""
    dist.broadcast(tensor, src=rank)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--source-rank", type=int, default=0)
    args = parser.parse_args()
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    centre, scale = torch.randn(8), torch.rand(1)
    share(centre)
    share(scale, rank=args.source_rank)
    model = DDP(nn.Linear(8, 8))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(40):
        x = torch.randn(10, 8) * scale + centre
        loss = (model(x) - centre).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
