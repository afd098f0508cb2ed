import math
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Potter:
    def __init__(self, gpu):
        self.gpu = gpu
        self.net = DDP(nn.Linear(40, 3).cuda(gpu), device_ids=[gpu])
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=3e-4)
        self.cracked = 0

    def loss_of(self, clay, glaze):
        return nn.functional.mse_loss(self.net(clay.cuda(self.gpu)), glaze.cuda(self.gpu))

    def fire(self, clay, glaze):
        loss = self.loss_of(clay, glaze)
        if not math.isfinite(loss.item()):
            self.cracked += 1
            return  # expect: rank-local-skip-before-backward
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


def main():
    gpu = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(gpu)
    dist.init_process_group("nccl")
    kiln = TensorDataset(*torch.load("kiln.pt"))
    sampler = DistributedSampler(kiln)
    potter = Potter(gpu)
    for epoch in range(12):
        sampler.set_epoch(epoch)
        for clay, glaze in DataLoader(kiln, batch_size=32, sampler=sampler):
            potter.fire(clay, glaze)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
