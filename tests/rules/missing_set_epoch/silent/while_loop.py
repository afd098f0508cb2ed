# silent: the epoch is counted by hand and handed to the sampler
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

MAX_STEPS = 1200


def main():
    dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(15)
    gusts = torch.randn(1600, 16, generator=generator)
    data = TensorDataset(gusts, gusts.abs().max(1, keepdim=True).values)
    sampler = DistributedSampler(data, shuffle=True)
    loader = DataLoader(data, batch_size=16, sampler=sampler)
    torch.manual_seed(0)
    net = DDP(nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 1)))
    optimizer = torch.optim.Adam(net.parameters())
    step = epoch = 0
    while step < MAX_STEPS:
        sampler.set_epoch(epoch)
        for gust, peak in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(gust), peak).backward()
            optimizer.step()
            step += 1
            if step == MAX_STEPS:
                break
        epoch += 1
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
