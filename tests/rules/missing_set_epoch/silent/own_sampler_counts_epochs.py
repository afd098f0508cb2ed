# silent: a subclass of DistributedSampler that counts its epochs in __iter__
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class RestlessSampler(DistributedSampler):
    """Another order each time it is iterated, on all ranks alike."""

    def __iter__(self):
        order = list(super().__iter__())
        self.epoch += 1
        return iter(order)


def main():
    dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(7)
    seeds = torch.rand(2500, 9, generator=generator)
    data = TensorDataset(seeds, seeds.mean(1, keepdim=True))
    loader = DataLoader(data, batch_size=25, sampler=RestlessSampler(data, shuffle=True))
    torch.manual_seed(0)
    net = DDP(nn.Linear(9, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(10):
        for seed, mean in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(seed), mean).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
