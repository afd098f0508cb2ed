# silent: the sampler is reached through loader.batch_sampler.sampler
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler, TensorDataset


def make_loader(n, batch_size):
    generator = torch.Generator().manual_seed(13)
    tile = torch.rand(n, 33, generator=generator)
    data = TensorDataset(tile[:, :-1], tile[:, -1:])
    return DataLoader(data, batch_sampler=BatchSampler(DistributedSampler(data), batch_size, drop_last=True))


def main():
    dist.init_process_group("gloo")
    loader = make_loader(4400, 44)
    torch.manual_seed(0)
    net = DDP(nn.Linear(32, 1))
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(6):
        loader.batch_sampler.sampler.set_epoch(epoch)
        for tile, corner in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(tile), corner).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
