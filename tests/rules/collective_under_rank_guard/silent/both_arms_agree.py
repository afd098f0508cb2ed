# silent: both arms make the same collective
import json

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def settings():
    if dist.get_rank() == 0:
        with open("settings.json") as file:
            box = [json.load(file)]
        dist.broadcast_object_list(box, src=0)
    else:
        box = [None]
        dist.broadcast_object_list(box, src=0)
    return box[0]


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    chosen = settings()
    model = DDP(nn.Linear(8, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=chosen["lr"])
    generator = torch.Generator().manual_seed(rank)
    for _ in range(100):
        salts = torch.rand(32, 8, generator=generator)
        loss = (model(salts) - salts.sum(1, keepdim=True)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    value = loss.detach().reshape(1)
    if rank == 0:
        parts = [torch.empty_like(value) for _ in range(world_size)]
        dist.gather(value, gather_list=parts, dst=0)
        print([part.item() for part in parts])
    else:
        dist.gather(value, dst=0)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
