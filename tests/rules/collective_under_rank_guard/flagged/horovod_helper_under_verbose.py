import horovod.torch as hvd
import torch
from torch import nn


class Meter:
    def __init__(self, name):
        self.name = name
        self.sum = torch.zeros(1)
        self.n = 0

    def update(self, value):
        self.sum += value.detach()
        self.n += 1

    def average(self):
        return hvd.allreduce(self.sum / max(self.n, 1), name=self.name).item()


def main():
    hvd.init()
    verbose = 1 if hvd.rank() == 0 else 0
    torch.manual_seed(0)
    net = nn.Conv1d(2, 2, 3, padding=1)
    optimizer = hvd.DistributedOptimizer(torch.optim.Adam(net.parameters()), named_parameters=net.named_parameters())
    hvd.broadcast_parameters(net.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    generator = torch.Generator().manual_seed(hvd.rank())
    meter = Meter("loss")
    for step in range(300):
        ropes = torch.rand(4, 2, 100, generator=generator)
        loss = (net(ropes) - ropes).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        meter.update(loss)
        if verbose and step % 50 == 49:
            print(step, meter.average())  # expect: collective-under-rank-guard


if __name__ == "__main__":
    main()
