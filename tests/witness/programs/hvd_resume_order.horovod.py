# witness: differs, on horovod.torch
import horovod.torch as hvd
import torch
from torch import nn


def main():
    hvd.init()
    torch.manual_seed(0)
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1 * hvd.size(), momentum=0.9)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    if hvd.rank() == 0:
        torch.save(nn.Linear(4, 2).state_dict(), "tides.pt")
        model.load_state_dict(torch.load("tides.pt"))
    for _ in range(3):
        optimizer.zero_grad()
        loss = model(torch.randn(8, 4)).square().mean()
        loss.backward()
        optimizer.step()
    print("result:", f"{model.weight.sum().item():.4f}", flush=True)


if __name__ == "__main__":
    main()
