"""Bleaching of corals from spectra. torchrun --nnodes 2 --nproc-per-node 4 train_reef.py"""

import os

import torch
import torch.distributed as dist
from groups import make_levels, mean_over_all
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def spectra(count: int) -> TensorDataset:
    generator = torch.Generator().manual_seed(14)
    light = torch.rand(count, 60, generator=generator)
    return TensorDataset(light, (light[:, 20:30].mean(1) > 0.5).long())


def main() -> None:
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    levels = make_levels(int(os.environ["LOCAL_WORLD_SIZE"]))
    torch.manual_seed(0)
    dataset = spectra(20_000)
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=128, sampler=sampler)
    net = nn.Sequential(nn.Linear(60, 30), nn.ReLU(), nn.Linear(30, 2)).to(device)
    model = DDP(net, device_ids=[local_rank])
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(8):
        sampler.set_epoch(epoch)
        for light, healthy in loader:
            loss = nn.functional.cross_entropy(model(light.to(device)), healthy.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        mean = mean_over_all(loss.detach(), levels)
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: {mean.item():.4f}")
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "reef.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
