# silent: a device mesh makes the groups of its dimensions on every rank
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    world_size = int(os.environ["WORLD_SIZE"])
    mesh = init_device_mesh("cuda", (world_size // 2, 2), mesh_dim_names=("replica", "pair"))
    torch.manual_seed(dist.get_rank())
    device = torch.device("cuda", local_rank)
    model = DDP(nn.Linear(16, 16).to(device), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(40):
        x = torch.randn(8, 16, device=device)
        loss = (model(x) - x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    score = loss.detach()
    dist.all_reduce(score, group=mesh.get_group("pair"))
    if mesh.get_local_rank("pair") == 0:
        dist.all_reduce(score, group=mesh.get_group("replica"))
        print(score.item() / world_size)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
