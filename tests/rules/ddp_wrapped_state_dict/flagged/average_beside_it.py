import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def write(model, path):
    torch.save(model.state_dict(), path)  # expect: ddp-wrapped-state-dict


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model, average = nn.Linear(9, 9).cuda(), nn.Linear(9, 9).cuda()
    model = DDP(model, device_ids=[local_rank])
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(300):
        x = torch.randn(16, 9).cuda()
        opt.zero_grad()
        model(x).square().mean().backward()
        opt.step()
        with torch.no_grad():
            for slow, fast in zip(average.parameters(), model.parameters()):
                slow.lerp_(fast, 0.01)
    if dist.get_rank() == 0:
        write(model, "model.pt")
        write(average, "average.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
