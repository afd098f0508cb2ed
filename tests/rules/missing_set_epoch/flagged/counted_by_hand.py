import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Training:
    def __init__(self, data):
        self.net = DDP(nn.Linear(15, 1))
        self.optimizer = torch.optim.Adam(self.net.parameters())
        self.loader = DataLoader(data, batch_size=15, sampler=DistributedSampler(data))
        self.epoch = 0

    def pass_over(self):
        for moth, span in self.loader:
            self.optimizer.zero_grad()
            nn.functional.mse_loss(self.net(moth), span).backward()
            self.optimizer.step()

    def fit(self, last):
        while self.epoch < last:  # expect: missing-set-epoch
            self.pass_over()
            self.epoch += 1


def main():
    dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(13)
    moths = torch.rand(1500, 15, generator=generator)
    torch.manual_seed(0)
    Training(TensorDataset(moths, moths.amax(1, keepdim=True))).fit(9)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
