# silent: rank 0 evaluates the averaged copy of the weights, which is not wrapped
import copy

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Average:
    def __init__(self, net, decay=0.99):
        self.net = copy.deepcopy(net).eval()
        self.decay = decay

    @torch.no_grad()
    def update(self, net):
        for mine, theirs in zip(self.net.parameters(), net.parameters()):
            mine.lerp_(theirs, 1 - self.decay)


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    net = nn.Sequential(nn.Linear(7, 7), nn.BatchNorm1d(7))
    average = Average(net)
    model = DDP(net)
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(rank)
    for step in range(200):
        loss = model(torch.rand(16, 7, generator=generator)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        average.update(model.module)
        if rank == 0 and step % 50 == 0:
            with torch.no_grad():
                print(step, average.net(torch.ones(4, 7)).mean().item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
