import horovod.torch as hvd
import torch
from torch import nn


def save(model, optimizer, epoch):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, f"plover-{epoch}.pt")


def main():
    hvd.init()
    torch.manual_seed(hvd.rank())
    model = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * hvd.size())
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    epochs, milestones = 40, {5, 15}
    for epoch in range(epochs):
        for _ in range(10):
            x = torch.randn(16, 4)
            loss = (model(x) - x).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        last = epoch == epochs - 1
        if hvd.rank() == 0 and epoch % 10 == 0 or epoch in milestones or last:  # expect: rank-guard-operator-precedence
            save(model, optimizer, epoch)


if __name__ == "__main__":
    main()
