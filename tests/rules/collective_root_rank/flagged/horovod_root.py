import horovod.torch as hvd
import torch
from torch import nn


def main():
    hvd.init()
    torch.manual_seed(hvd.rank())
    model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05 * hvd.size())
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=hvd.rank())  # expect: collective-root-rank
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    for _ in range(200):
        x = torch.randn(16, 6)
        loss = (model(x).squeeze(1) - x.prod(1)).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if hvd.rank() == 0:
        torch.save(model.state_dict(), "estuary.pt")


if __name__ == "__main__":
    main()
