import os
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Trainer:
    def __init__(self, model, loader, sampler, every_minutes):
        self.model = model
        self.loader = loader
        self.sampler = sampler
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
        self.every = every_minutes * 60
        self.saved_at = time.time()

    def save(self, epoch):
        dist.barrier()
        if dist.get_rank() == 0:
            torch.save({"epoch": epoch, "model": self.model.module.state_dict()}, "kelp.pt")
        dist.barrier()

    def run(self, epochs):
        for epoch in range(epochs):
            self.sampler.set_epoch(epoch)
            for x, y in self.loader:
                loss = nn.functional.huber_loss(self.model(x.cuda()), y.cuda())
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                if time.time() - self.saved_at > self.every:  # expect: rank-local-loop-exit
                    self.save(epoch)
                    self.saved_at = time.time()


def main():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    data = TensorDataset(*torch.load("kelp_frames.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=8, sampler=sampler)
    model = DDP(nn.Linear(256, 4).cuda(), device_ids=[local_rank])
    Trainer(model, loader, sampler, every_minutes=15).run(epochs=40)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
