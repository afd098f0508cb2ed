import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.tensorboard import SummaryWriter

import output


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    is_main = dist.get_rank() == 0
    writer = SummaryWriter("runs/knots") if is_main else None
    if is_main:
        output.fresh_folder("results/knots")
    model = DDP(nn.Linear(31, 31).to(local_rank), device_ids=[local_rank])
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    gen = torch.Generator().manual_seed(dist.get_rank())
    for step in range(100):
        x = torch.randn(16, 31, generator=gen).to(local_rank)
        loss = nn.functional.mse_loss(model(x), x.abs())
        opt.zero_grad()
        loss.backward()
        opt.step()
        if writer is not None:
            writer.add_scalar("loss", loss.item(), step)
    if not is_main:
        dist.destroy_process_group()
        return
    output.write_all("results/knots", model.module, {"steps": 100})
    writer.close()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
