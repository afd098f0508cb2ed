import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def tides(generator):
    hours = torch.rand(64, 3, generator=generator)
    return hours, hours.sin().sum(1, keepdim=True)


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = DDP(nn.Sequential(nn.Linear(3, 32), nn.Tanh(), nn.Linear(32, 1)))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    generator = torch.Generator().manual_seed(rank)
    for step in range(500):
        hours, level = tides(generator)
        loss = nn.functional.mse_loss(model(hours), level)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            mean = loss.detach().clone()
            if rank == 0:
                dist.all_reduce(mean, op=dist.ReduceOp.AVG)  # expect: collective-under-rank-guard
                print(f"step {step}: {mean.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
