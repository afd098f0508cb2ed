# witness: crashes with "Expected to have finished reduction in the prior iteration"
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 1)
        self.spare = nn.Linear(4, 2)

    def forward(self, x):
        return self.body(x)


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    model = DDP(Net())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(3):
        loss = model(torch.full((2, 4), dist.get_rank() + step + 1.0)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("result:", round(model.module.body.weight.sum().item(), 4))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
