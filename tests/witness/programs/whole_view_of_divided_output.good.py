import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads, self.size = 4, 8
        self.query = nn.Linear(32, 32)
        self.out = nn.Linear(32, 32)

    def forward(self, x):
        batch, length, _ = x.shape
        query = self.query(x).view(batch, length, -1, self.size)
        return self.out(query.flatten(2))


def main():
    torch.manual_seed(0)
    mesh = init_device_mesh("cpu", (2,))
    model = Attention()
    parallelize_module(model, mesh, {"query": ColwiseParallel(), "out": RowwiseParallel()})
    with torch.no_grad():
        print("result:", tuple(model(torch.ones(2, 3, 32)).shape))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
