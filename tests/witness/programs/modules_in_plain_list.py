# witness: differs
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Stack(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.first = nn.Linear(width, width)
        self.layers = [nn.Linear(width, width) for _ in range(depth)]

    def forward(self, x):
        x = self.first(x)
        for layer in self.layers:
            x = layer(x)
        return x


def main():
    dist.init_process_group("gloo")
    model = DDP(Stack(4, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        loss = model(torch.ones(2, 4)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("result:", f"{model(torch.ones(1, 4)).sum().item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
