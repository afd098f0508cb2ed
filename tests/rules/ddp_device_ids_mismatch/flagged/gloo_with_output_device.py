import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    dist.init_process_group("gloo")
    model = DDP(  # expect: ddp-device-ids-mismatch
        nn.Linear(3, 3),
        device_ids=[local_rank],  # its own
        output_device=local_rank,
        broadcast_buffers=False,
    )
    opt = torch.optim.Adam(model.parameters())
    for _ in range(30):
        x = torch.rand(3, 3)
        opt.zero_grad()
        nn.functional.mse_loss(model(x), x.flip(1)).backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
