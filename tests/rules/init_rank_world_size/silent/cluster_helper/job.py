# silent: look-alike, rank and world size come from the scheduler through a helper of another file
import scheduler
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    place = scheduler.place()
    dist.init_process_group("gloo", init_method=f"tcp://{place.host}:29628", rank=place.rank, world_size=place.size)
    model = DistributedDataParallel(nn.Linear(8, 8))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    for _ in range(60):
        tide = torch.randn(8, 8)
        loss = (model(tide) - tide.cumsum(dim=1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if place.rank == 0:
        print(loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
