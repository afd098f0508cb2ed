import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    gpu = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(gpu)
    dist.init_process_group("nccl")
    ids = [gpu]
    first, second = nn.Linear(4, 4), nn.Linear(4, 4)
    stack = DDP(  # expect: ddp-device-ids-mismatch
        module=first if gpu < 8 else second,
        device_ids=ids,  # one each
    )
    opt = torch.optim.Adam(stack.parameters())
    for _ in range(20):
        x = torch.rand(4, 4, device=gpu)
        opt.zero_grad()
        nn.functional.mse_loss(stack(x), x.flip(1)).backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
