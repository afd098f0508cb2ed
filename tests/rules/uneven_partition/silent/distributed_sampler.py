# silent: a DistributedSampler pads the shares to one length
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(1)
    corn = torch.rand(1003, 5, generator=generator)
    data = TensorDataset(corn, corn.sum(1, keepdim=True))
    sampler = DistributedSampler(data, num_replicas=dist.get_world_size(), rank=dist.get_rank())
    loader = DataLoader(data, batch_size=10, sampler=sampler)
    torch.manual_seed(0)
    net = DDP(nn.Linear(5, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(5):
        sampler.set_epoch(epoch)
        for ear, weight in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(ear), weight).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
