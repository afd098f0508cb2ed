# silent: the job runs on the CPU with gloo, there is no GPU to load onto
import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def ledger(rows=600):
    gen = torch.Generator().manual_seed(2)
    x = torch.rand(rows, 12, generator=gen)
    return TensorDataset(x, (x.sum(1) > 6).long())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--init-from")
    args = parser.parse_args()
    dist.init_process_group("gloo")
    net = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 2))
    if args.init_from:
        net.load_state_dict(torch.load(args.init_from))
    ddp = DistributedDataParallel(net)
    data = ledger()
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=20, sampler=sampler)
    opt = torch.optim.SGD(ddp.parameters(), lr=0.05)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for x, y in loader:
            opt.zero_grad()
            nn.functional.cross_entropy(ddp(x), y).backward()
            opt.step()
    if dist.get_rank() == 0:
        torch.save(ddp.module.state_dict(), "ledger.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
