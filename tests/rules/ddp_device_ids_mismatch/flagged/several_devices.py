import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.value = nn.Linear(18, 1)

    def forward(self, x):
        return self.value(x)


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    actor = nn.Linear(18, 18).cuda(local_rank)
    critic = Critic().cuda(local_rank)
    actor = DDP(actor, device_ids=list(range(torch.cuda.device_count())))  # expect: ddp-device-ids-mismatch
    critic = DDP(critic, device_ids=[2 * local_rank, 2 * local_rank + 1])  # expect: ddp-device-ids-mismatch
    opt = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=1e-3)
    gen = torch.Generator().manual_seed(dist.get_rank())
    for _ in range(200):
        x = torch.randn(64, 18, generator=gen).cuda(local_rank)
        opt.zero_grad()
        (critic(actor(x)) - x.mean(1, keepdim=True)).square().mean().backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
