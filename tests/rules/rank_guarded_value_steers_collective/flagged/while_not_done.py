import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(40, 40).cuda(), device_ids=[local_rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    done, step = False, 0
    smooth = 1.0
    while not done:  # expect: rank-guarded-value-steers-collective
        x = torch.randn(32, 40, device="cuda")
        loss = (model(x) - x.flip(1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
        if rank == 0:
            smooth = 0.98 * smooth + 0.02 * loss.item()
            if smooth < 0.01:
                torch.save(model.module.state_dict(), "swallow.pt")
                done = True
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
