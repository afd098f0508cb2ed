# witness: differs
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Projected(nn.Module):
    def __init__(self):
        super().__init__()
        self.basis = torch.rand(4, 3)
        self.head = nn.Linear(3, 1)

    def forward(self, x):
        return self.head(x @ self.basis)


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(int(os.environ["RANK"]))
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = DDP(Projected().to(device))
    print("result:", model(torch.ones(1, 4, device=device)).tolist())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
