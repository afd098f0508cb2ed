import torch
import torch.distributed as dist
from torch.nn.functional import interpolate, l1_loss
from torch.nn.parallel import DistributedDataParallel as DDP

from factory import upscaler


class Trainer:
    def __init__(self, config, local_rank):
        self.local_rank = local_rank
        self.model = upscaler(config)
        self.model = DDP(self.model, device_ids=[self.local_rank])  # error: [ddp-device-ids-mismatch]
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=config.lr)

    def fit(self, steps):
        gen = torch.Generator().manual_seed(dist.get_rank())
        for _ in range(steps):
            large = torch.rand(4, 3, 64, 64, generator=gen).to(self.local_rank)
            small = interpolate(large, scale_factor=0.5, mode="area")
            self.optimizer.zero_grad()
            l1_loss(self.model(small), large).backward()
            self.optimizer.step()
