import horovod.torch as hvd
import torch
from torch import nn


def mean_over_ranks(value, name):
    if hvd.rank() != 0:
        return value  # expect: early-exit-before-collective
    return hvd.allreduce(torch.tensor(value), name=name).item()


def main():
    hvd.init()
    torch.manual_seed(hvd.rank())
    model = nn.Sequential(nn.Linear(14, 28), nn.ReLU(), nn.Linear(28, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * hvd.size())
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    for epoch in range(5):
        for _ in range(40):
            x = torch.randn(32, 14)
            loss = (model(x).squeeze(1) - x.sum(1)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        mean = mean_over_ranks(loss.item(), f"loss.{epoch}")
        if hvd.rank() == 0:
            print(f"{epoch} {mean:.4f}")


if __name__ == "__main__":
    main()
