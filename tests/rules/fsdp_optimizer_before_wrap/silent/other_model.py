# silent: the critic is sharded, the optimizer trains the actor
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(64, 64) for _ in range(4)])
        self.head = nn.Linear(64, 10)

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return self.head(x)


def main():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    actor = nn.Linear(64, 4).cuda()
    optimizer = torch.optim.AdamW(actor.parameters(), lr=1e-4)
    critic = FSDP(Net().cuda(), device_id=local_rank)
    for step in range(100):
        x = torch.randn(32, 64, device="cuda")
        loss = -(critic(x).detach()[:, :4] * actor(x)).mean()
        loss.backward()
        dist.all_reduce(actor.weight.grad, op=dist.ReduceOp.AVG)
        dist.all_reduce(actor.bias.grad, op=dist.ReduceOp.AVG)
        optimizer.step()
        optimizer.zero_grad()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
