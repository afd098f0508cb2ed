"""Glacier-front segmentation on radar scenes."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler

from cluster import Place, join_job


class RadarScenes(Dataset):
    def __init__(self, scenes: int):
        generator = torch.Generator().manual_seed(31)
        self.backscatter = torch.rand(scenes, 2, 64, 64, generator=generator)
        self.front = (self.backscatter.mean(dim=1) > 0.5).long()

    def __len__(self):
        return len(self.front)

    def __getitem__(self, index):
        return self.backscatter[index], self.front[index]


def make_loader(scenes: Dataset, place: Place, batch_size: int) -> DataLoader:
    sampler = DistributedSampler(scenes, num_replicas=place.world_size, rank=place.local_rank)  # error: [sampler-rank-from-local-rank]
    return DataLoader(scenes, batch_size=batch_size, sampler=sampler, num_workers=4)


def main(epochs: int = 20, batch_size: int = 16):
    place = join_job()
    torch.manual_seed(8)
    net = nn.Sequential(nn.Conv2d(2, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, 2, 1)).to(place.device)
    net = DDP(net, device_ids=[place.local_rank])
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    loader = make_loader(RadarScenes(3200), place, batch_size)

    for epoch in range(epochs):
        loader.sampler.set_epoch(epoch)
        for scene, front in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(scene.to(place.device)), front.to(place.device))
            loss.backward()
            optimizer.step()
        if place.rank == 0:
            torch.save(net.module.state_dict(), "glacier.pt")
            print(f"epoch {epoch}: {loss.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
