# silent: tests on the number of processes and on whether Horovod was started are equal everywhere
import horovod.torch as hvd
import torch
from torch import nn


def average(value, name):
    if hvd.is_initialized() and hvd.size() > 1:
        return hvd.allreduce(value, name=name)
    return value


def main():
    hvd.init()
    torch.manual_seed(0)
    net = nn.Linear(9, 3)
    optimizer = hvd.DistributedOptimizer(torch.optim.Adam(net.parameters()), net.named_parameters())
    if hvd.size() > 1:
        hvd.broadcast_parameters(net.state_dict(), root_rank=0)
        hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    generator = torch.Generator().manual_seed(hvd.rank())
    for step in range(100):
        loss = net(torch.rand(16, 9, generator=generator)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        mean = average(loss.detach(), "loss")
        if hvd.rank() == 0:
            print(step, mean.item())
            torch.save(net.state_dict(), "chalk.pt")


if __name__ == "__main__":
    main()
