# witness: differs
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    model = DDP(nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(3):
        loss = model.module(torch.full((2, 4), dist.get_rank() + step + 1.0)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("result:", round(sum(weight.sum().item() for weight in model.parameters()), 4))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
