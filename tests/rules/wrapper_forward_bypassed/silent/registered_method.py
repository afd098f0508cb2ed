# silent: the method is registered as a forward, or runs sharded layers only
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.functional import cross_entropy
from torch.distributed.fsdp import fully_shard, register_fsdp_forward_method


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)
        self.head = nn.Linear(8, 4)

    def encode(self, x):
        return self.body(x).relu()

    def forward(self, x):
        return self.head(self.encode(x))


def main():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    torch.manual_seed(dist.get_rank())
    model = Net().cuda()
    fully_shard(model)
    register_fsdp_forward_method(model, "encode")
    other = Net().cuda()
    fully_shard(other.body)
    fully_shard(other)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        x, y = torch.randn(16, 8, device="cuda"), torch.randint(0, 4, (16,), device="cuda")
        loss = cross_entropy(model.encode(x)[:, :4], y) + cross_entropy(model(x), y) + other.encode(x).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
