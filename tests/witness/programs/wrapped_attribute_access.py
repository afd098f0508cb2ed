# witness: crashes with "'DistributedDataParallel' object has no attribute 'encode'"
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 3)

    def encode(self, x):
        return self.body(x).tanh()

    def forward(self, x):
        return self.encode(x).sum(1)


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    model = DDP(Net())
    with torch.no_grad():
        print("result:", model.encode(torch.ones(1, 4)).sum().item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
