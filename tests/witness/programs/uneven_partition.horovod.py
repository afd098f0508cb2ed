# witness: hangs, on horovod.torch
import horovod.torch as hvd
import torch
from torch import nn


def main():
    hvd.init()
    torch.manual_seed(0)
    data = torch.randn(7, 4)
    model = nn.Linear(4, 2)
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1 * hvd.size())
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    for row in data[hvd.rank() :: hvd.size()]:
        optimizer.zero_grad()
        loss = model(row).square().mean()
        loss.backward()
        optimizer.step()
    print("result:", f"{model.weight.sum().item():.4f}", flush=True)


if __name__ == "__main__":
    main()
