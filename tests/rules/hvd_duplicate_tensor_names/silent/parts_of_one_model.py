# silent: both sets of parameters are of one model
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


def main():
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    generator = torch.Generator().manual_seed(hvd.rank())
    net = Net().cuda()
    hvd.broadcast_parameters(net.state_dict(), root_rank=0)
    rate = 0.01 * hvd.size()
    encoder = [(name, value) for name, value in net.named_parameters() if "encoder" in name]
    head = [(name, value) for name, value in net.named_parameters() if "head" in name]
    slow = hvd.DistributedOptimizer(torch.optim.SGD([value for _, value in encoder], lr=rate), encoder)
    fast = hvd.DistributedOptimizer(torch.optim.SGD([value for _, value in head], lr=10 * rate), head)
    for _ in range(1000):
        slow.zero_grad()
        fast.zero_grad()
        net(torch.randn(16, 8, generator=generator).cuda()).mean().backward()
        slow.step()
        fast.step()


if __name__ == "__main__":
    main()
