# witness: crashes with "optimizer.zero_grad() was called after", on horovod.torch
import horovod.torch as hvd
import torch
from torch import nn


def main():
    hvd.init()
    torch.manual_seed(hvd.rank())
    model = nn.Linear(4, 2)
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1 * hvd.size())
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    for _ in range(3):
        loss = model(torch.randn(8, 4)).square().mean()
        loss.backward()
        optimizer.zero_grad()
        optimizer.step()
    print("result:", f"{model.weight.sum().item():.4f}", flush=True)


if __name__ == "__main__":
    main()
