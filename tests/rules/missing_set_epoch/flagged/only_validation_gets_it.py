import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def shells(n, seed):
    generator = torch.Generator().manual_seed(seed)
    ring = torch.rand(n, 12, generator=generator)
    return TensorDataset(ring, ring.sum(1, keepdim=True))


def main():
    dist.init_process_group("gloo")
    train_set, val_set = shells(3600, 1), shells(360, 2)
    train_sampler = DistributedSampler(train_set)
    val_sampler = DistributedSampler(val_set, shuffle=False)
    train_loader = DataLoader(train_set, batch_size=36, sampler=train_sampler)
    val_loader = DataLoader(val_set, batch_size=36, sampler=val_sampler)
    torch.manual_seed(0)
    net = DDP(nn.Linear(12, 1))
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(10):  # expect: missing-set-epoch
        for ring, age in train_loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(ring), age).backward()
            optimizer.step()
        val_sampler.set_epoch(epoch)
        totals = torch.zeros(2)
        with torch.no_grad():
            for ring, age in val_loader:
                totals += torch.tensor([(net(ring) - age).abs().sum().item(), float(len(age))])
        dist.all_reduce(totals)
        if dist.get_rank() == 0:
            print(epoch, (totals[0] / totals[1]).item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
