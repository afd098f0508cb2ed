# silent: a batch sampler alone, or beside values that are the defaults
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler, TensorDataset


def routes(n, seed):
    generator = torch.Generator().manual_seed(seed)
    stops = torch.rand(n, 10, generator=generator)
    return TensorDataset(stops, stops.diff(dim=1).abs().sum(1, keepdim=True))


def main():
    dist.init_process_group("gloo")
    train_set, val_set = routes(7000, 1), routes(700, 2)
    sampler = DistributedSampler(train_set, shuffle=True)
    batches = BatchSampler(sampler, batch_size=35, drop_last=True)
    loader = DataLoader(train_set, batch_sampler=batches)
    val_batches = BatchSampler(DistributedSampler(val_set, shuffle=False), 35, False)
    val_loader = DataLoader(val_set, batch_size=1, shuffle=False, batch_sampler=val_batches, drop_last=False)
    torch.manual_seed(0)
    net = DDP(nn.Sequential(nn.Linear(10, 30), nn.ReLU(), nn.Linear(30, 1)))
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(8):
        sampler.set_epoch(epoch)
        for stops, length in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(stops), length).backward()
            optimizer.step()
    totals = torch.zeros(2)
    with torch.no_grad():
        for stops, length in val_loader:
            totals += torch.tensor([(net(stops) - length).abs().sum().item(), float(len(length))])
    dist.all_reduce(totals)
    if dist.get_rank() == 0:
        print("error", (totals[0] / totals[1]).item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
