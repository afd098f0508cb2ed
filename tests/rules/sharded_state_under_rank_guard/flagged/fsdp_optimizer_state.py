import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


class Session:
    def __init__(self, local_rank):
        self.is_main = dist.get_rank() == 0
        self.model = FSDP(nn.Linear(1024, 1024).cuda(), device_id=local_rank)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=3e-4)

    def step(self, barrels):
        loss = self.model(barrels).square().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def save(self, path):
        if self.is_main:
            moments = FSDP.full_optim_state_dict(self.model, self.optimizer)  # expect: sharded-state-under-rank-guard
            torch.save(moments, path)


def main():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    session = Session(local_rank)
    for _ in range(200):
        session.step(torch.rand(8, 1024, device="cuda"))
    session.save("barrels-optimizer.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
