# silent: a Subset of indices that depend on the rank
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Subset, TensorDataset


def own_part(data, rank, world_size):
    per_rank = len(data) // world_size
    first = rank * per_rank
    return Subset(data, range(first, first + per_rank))


def train(model, loader, optimizer, device):
    for position, energy in loader:
        optimizer.zero_grad()
        nn.functional.l1_loss(model(position.to(device)), energy.to(device)).backward()
        optimizer.step()


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    device = torch.device("cuda", local_rank)
    dist.init_process_group("nccl")
    generator = torch.Generator().manual_seed(40)
    position = torch.rand(9001, 9, generator=generator)
    molecules = TensorDataset(position, position.square().sum(1, keepdim=True))
    part = own_part(molecules, dist.get_rank(), dist.get_world_size())
    loader = DataLoader(part, batch_size=100, shuffle=True)
    torch.manual_seed(2)
    model = DDP(nn.Sequential(nn.Linear(9, 50), nn.SiLU(), nn.Linear(50, 1)).to(device), device_ids=[local_rank])
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(30):
        train(model, loader, optimizer, device)
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "energy.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
