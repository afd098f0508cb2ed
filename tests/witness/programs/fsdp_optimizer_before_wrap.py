# witness: wrong
"""The weights that an optimizer of unsharded parameters trains are nobody's."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    fully_shard(model, mesh=mesh)
    inputs = torch.ones(4, 8)
    for _ in range(20):
        optimizer.zero_grad()
        loss = model(inputs).square().sum()
        loss.backward()
        optimizer.step()
    print(f"result: loss {loss.item():.3f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
