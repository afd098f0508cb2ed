import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

from wrapping import unwrap_model


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = DDP(nn.Bilinear(5, 5, 1).to(local_rank), device_ids=[local_rank])
    gen = torch.Generator().manual_seed(9 + dist.get_rank())
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    for step in range(600):
        left = torch.randn(20, 5, generator=gen).to(local_rank)
        right = torch.randn(20, 5, generator=gen).to(local_rank)
        opt.zero_grad()
        nn.functional.mse_loss(model(left, right).squeeze(1), (left * right).sum(1)).backward()
        opt.step()
        if step % 200 == 199 and dist.get_rank() == 0:
            torch.save({"step": step, "model": unwrap_model(model).state_dict()}, "dot.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
