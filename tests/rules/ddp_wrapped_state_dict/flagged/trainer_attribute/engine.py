from pathlib import Path

import torch
import torch.distributed as dist
from torch.nn.functional import smooth_l1_loss
from torch.nn.parallel import DistributedDataParallel


class Engine:
    def __init__(self, model, config):
        self.config = config
        self.gpu = config.local_rank
        self.model = DistributedDataParallel(model.to(self.gpu), device_ids=[self.gpu])
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=config.lr)

    def run(self, loader):
        for epoch in range(self.config.epochs):
            loader.sampler.set_epoch(epoch)
            for frame, depth in loader:
                self.optimizer.zero_grad()
                smooth_l1_loss(self.model(frame.to(self.gpu)), depth.to(self.gpu)).backward()
                self.optimizer.step()
            if dist.get_rank() == 0:
                self.checkpoint(epoch)

    def checkpoint(self, epoch):
        weights = self.model.state_dict()  # error: [ddp-wrapped-state-dict]
        torch.save({"epoch": epoch, "weights": weights}, Path(self.config.folder) / "depth.pt")
