import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = DDP(nn.Sequential(nn.Linear(20, 200), nn.ReLU(), nn.Linear(200, 1)))
    optimizer = ZeroRedundancyOptimizer(model.parameters(), optimizer_class=torch.optim.Adam, lr=1e-3)
    generator = torch.Generator().manual_seed(rank)
    for step in range(200):
        loss = model(torch.rand(25, 20, generator=generator)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank == 0:
        optimizer.consolidate_state_dict(to=0)  # expect: sharded-state-under-rank-guard
        torch.save({"model": model.module.state_dict(), "optimizer": optimizer.state_dict()}, "plums.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
