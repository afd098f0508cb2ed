# witness: differs, on horovod.torch
import horovod.torch as hvd
import torch
from torch import nn


def main():
    hvd.init()
    torch.manual_seed(hvd.rank())
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1 * hvd.size())
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    for _ in range(3):
        optimizer.zero_grad()
        loss = model(torch.randn(8, 4)).square().mean()
        loss.backward()
        optimizer.step()
    print("result:", f"{model.weight.sum().item():.4f}", flush=True)


if __name__ == "__main__":
    main()
