import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Subset, TensorDataset


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    generator = torch.Generator().manual_seed(7)
    yarn = torch.rand(2111, 11, generator=generator)
    data = TensorDataset(yarn, yarn.sum(1, keepdim=True))
    indices = torch.randperm(len(data), generator=generator).tolist()
    part = Subset(data, indices[rank::world_size])  # expect: uneven-partition
    loader = DataLoader(part, batch_size=1, shuffle=True)
    torch.manual_seed(0)
    net = DDP(nn.Linear(11, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for epoch in range(3):
        for thread, length in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(thread), length).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
