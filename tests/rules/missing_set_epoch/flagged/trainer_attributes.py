import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Fitter:
    def __init__(self, net, data, gpu, max_epochs):
        self.gpu = gpu
        self.net = DDP(net.to(gpu), device_ids=[gpu])
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.05)
        self.sampler = DistributedSampler(data, shuffle=True)
        self.loader = DataLoader(data, batch_size=40, sampler=self.sampler, num_workers=2)
        self.max_epochs = max_epochs

    def _run_batch(self, wool, grade):
        self.optimizer.zero_grad()
        loss = nn.functional.cross_entropy(self.net(wool), grade)
        loss.backward()
        self.optimizer.step()

    def _run_epoch(self):
        for wool, grade in self.loader:
            self._run_batch(wool.to(self.gpu), grade.to(self.gpu))

    def fit(self):
        for epoch in range(self.max_epochs):  # expect: missing-set-epoch
            self._run_epoch()
            if dist.get_rank() == 0:
                torch.save(self.net.module.state_dict(), "wool.pt")


def main():
    gpu = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(gpu)
    dist.init_process_group("nccl")
    generator = torch.Generator().manual_seed(3)
    wool = torch.rand(2400, 6, generator=generator)
    torch.manual_seed(0)
    Fitter(nn.Linear(6, 6), TensorDataset(wool, wool.max(1).indices), gpu, max_epochs=5).fit()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
