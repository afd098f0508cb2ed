import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel


def main():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    model = FullyShardedDataParallel(nn.Linear(256, 256).cuda())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(300):
        loss = model(torch.rand(32, 256, device="cuda")).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 0 and dist.get_rank() == 0:
            with FullyShardedDataParallel.summon_full_params(model, writeback=False):  # expect: sharded-state-under-rank-guard
                print(step, sum(parameter.numel() for parameter in model.parameters()))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
