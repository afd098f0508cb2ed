# silent: Horovod wraps the optimizer, not the model; its forward is local
import horovod.torch as hvd
import torch
from torch import nn


def main():
    hvd.init()
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(9, 9), nn.BatchNorm1d(9), nn.Linear(9, 2))
    optimizer = hvd.DistributedOptimizer(torch.optim.Adam(net.parameters()), net.named_parameters())
    hvd.broadcast_parameters(net.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    generator = torch.Generator().manual_seed(hvd.rank())
    for epoch in range(5):
        net.train()
        for _ in range(50):
            loss = net(torch.rand(16, 9, generator=generator)).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if hvd.rank() == 0:
            net.eval()
            with torch.no_grad():
                print(epoch, net(torch.ones(4, 9)).tolist())


if __name__ == "__main__":
    main()
