import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def mean_over_ranks(value):
    value = value.detach().clone()
    dist.all_reduce(value)
    return value / dist.get_world_size()


def main():
    dist.init_process_group("gloo")
    model = DDP(nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    draws = torch.Generator().manual_seed(dist.get_rank())
    for step in range(80):
        with model.no_sync():  # expect: ddp-no-sync-misuse
            loss = model(torch.randn(16, 8, generator=draws)).pow(2).mean()
            loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        shown = mean_over_ranks(loss)
        if dist.get_rank() == 0:
            print(step, shown.item())
        dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
