# silent: each epoch builds its sampler anew, with a seed of its own
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def epoch_loader(data, batch_size, epoch):
    sampler = DistributedSampler(data, shuffle=True, seed=1000 + epoch)
    return DataLoader(data, batch_size=batch_size, sampler=sampler)


def main():
    dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(16)
    roofs = torch.rand(2700, 27, generator=generator)
    data = TensorDataset(roofs, roofs.mean(1, keepdim=True))
    torch.manual_seed(0)
    net = DDP(nn.Linear(27, 1))
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(8):
        for roof, mean in epoch_loader(data, 27, epoch):
            optimizer.zero_grad()
            nn.functional.mse_loss(net(roof), mean).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
