import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

WARM_UP = 3


def main():
    dist.init_process_group("gloo")
    is_main = dist.get_rank() == 0
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(7, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(10):
        # the others only help to warm the weights up
        if epoch >= WARM_UP and not is_main:
            break  # expect: early-exit-before-collective
        for _ in range(25):
            x = torch.randn(16, 7)
            loss = (model(x).squeeze(1) - x.max(1).values).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if is_main:
            print(f"{epoch}: {loss.item():.4f}")
    if is_main:
        torch.save(model.module.state_dict(), "warm.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
