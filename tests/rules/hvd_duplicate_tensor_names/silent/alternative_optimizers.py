# silent: the optimizers are alternatives
import horovod.torch as hvd
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 8)
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(self.encoder(x))


def main(adam):
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    generator = torch.Generator().manual_seed(hvd.rank())
    net = Net().cuda()
    hvd.broadcast_parameters(net.state_dict(), root_rank=0)
    rate = 0.01 * hvd.size()
    if adam:
        optimizer = hvd.DistributedOptimizer(torch.optim.Adam(net.parameters(), lr=rate))
    else:
        optimizer = hvd.DistributedOptimizer(torch.optim.SGD(net.parameters(), lr=rate))
    for _ in range(1000):
        optimizer.zero_grad()
        net(torch.randn(16, 8, generator=generator).cuda()).mean().backward()
        optimizer.step()


if __name__ == "__main__":
    main(input() == "adam")
