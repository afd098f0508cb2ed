import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(4)
    pearls = torch.rand(2300, 23, generator=generator)
    data = TensorDataset(pearls, pearls.std(1, keepdim=True))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=23, sampler=sampler)
    torch.manual_seed(0)
    net = DDP(nn.Linear(23, 1))
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(6):
        sampler.set_epoch(0)  # expect: missing-set-epoch
        for pearl, spread in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(pearl), spread).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
