# silent: the collective belongs to a process set and is made by its members
import horovod.torch as hvd
import torch
from torch import nn


def main():
    evens = hvd.ProcessSet([0, 2])
    hvd.init(process_sets=[evens])
    torch.manual_seed(0)
    net = nn.Linear(6, 1)
    optimizer = hvd.DistributedOptimizer(torch.optim.Adam(net.parameters()), net.named_parameters())
    hvd.broadcast_parameters(net.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    generator = torch.Generator().manual_seed(hvd.rank())
    for _ in range(30):
        loss = net(torch.rand(8, 6, generator=generator)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if evens.included():
        mean = hvd.allreduce(loss.detach(), name="even", process_set=evens)
        print(hvd.rank(), mean.item())


if __name__ == "__main__":
    main()
