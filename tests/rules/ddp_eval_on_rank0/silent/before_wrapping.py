# silent: rank 0 tries the model before it is wrapped
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = nn.Sequential(nn.Linear(3, 9), nn.BatchNorm1d(9), nn.Linear(9, 3))
    if rank == 0:
        with torch.no_grad():
            print("output", tuple(model(torch.zeros(2, 3)).shape))
    model = DDP(model)
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(rank)
    for _ in range(50):
        loss = model(torch.rand(16, 3, generator=generator)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
