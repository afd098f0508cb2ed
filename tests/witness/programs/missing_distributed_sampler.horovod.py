# witness: wrong, on horovod.torch
import horovod.torch as hvd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    hvd.init()
    torch.manual_seed(0)
    model = nn.Linear(1, 1)
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1 * hvd.size())
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    loader = DataLoader(TensorDataset(torch.arange(16.0).unsqueeze(1)), batch_size=4)
    for (x,) in loader:
        optimizer.zero_grad()
        loss = model(x / 16).square().mean()
        loss.backward()
        optimizer.step()
    print("result:", f"{model.weight.sum().item():.4f}", flush=True)


if __name__ == "__main__":
    main()
