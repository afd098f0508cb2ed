# silent: the tensors belong to a data set, a configuration and a trainer, which nobody moves
import os
from dataclasses import dataclass, field

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class Terrain(Dataset):
    def __init__(self, tiles=640):
        gen = torch.Generator().manual_seed(77)
        self.height = torch.rand(tiles, 10, 10, generator=gen)
        self.mean = self.height.mean(dim=0)

    def __len__(self):
        return len(self.height)

    def __getitem__(self, index):
        return self.height[index] - self.mean


@dataclass
class Noise:
    levels: torch.Tensor = field(default_factory=lambda: torch.linspace(0.1, 1, 5))

    def forward(self, x, step):
        return x * self.levels[step % 5].item()


class Run:
    def __init__(self, gpu):
        self.gpu = gpu
        self.kernel = torch.ones(1, 1, 3, 3, device=torch.device("cuda", gpu)) / 9
        self.noise = Noise()
        self.model = DDP(nn.Sequential(nn.Flatten(), nn.Linear(100, 100)).to(gpu), device_ids=[gpu])

    def forward(self, tile, step):
        smooth = nn.functional.conv2d(tile.unsqueeze(1), self.kernel, padding=1).flatten(1)
        return nn.functional.mse_loss(self.model(self.noise.forward(tile, step)), smooth)


def main():
    gpu = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(gpu)
    dist.init_process_group("nccl")
    run = Run(gpu)
    terrain = Terrain()
    sampler = DistributedSampler(terrain)
    opt = torch.optim.Adam(run.model.parameters())
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for step, tile in enumerate(DataLoader(terrain, batch_size=16, sampler=sampler)):
            opt.zero_grad()
            run.forward(tile.to(gpu), step).backward()
            opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
