import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = DDP(nn.Linear(10, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    generator = torch.Generator().manual_seed(rank)
    for step in range(200):
        pebbles = torch.rand(16, 10, generator=generator)
        loss = (model(pebbles) - pebbles).square().mean()
        if rank == 0 and step % 20 == 0:
            extra = model(torch.ones(1, 10)).square().mean()
            extra.backward()  # expect: ddp-eval-on-rank0
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
