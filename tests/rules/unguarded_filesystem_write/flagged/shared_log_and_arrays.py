import os
import shutil

import numpy as np
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.tensorboard import SummaryWriter


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    shutil.rmtree("runs/springs", ignore_errors=True)  # expect: unguarded-filesystem-write
    writer = SummaryWriter(log_dir="runs/springs")  # expect: unguarded-filesystem-write
    model = DDP(nn.Linear(17, 17).to(local_rank), device_ids=[local_rank])
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    gen = torch.Generator().manual_seed(dist.get_rank())
    for step in range(300):
        x = torch.randn(16, 17, generator=gen).to(local_rank)
        loss = nn.functional.mse_loss(model(x), x.roll(1, 1))
        opt.zero_grad()
        loss.backward()
        opt.step()
        writer.add_scalar("loss", loss.item(), step)
    weight = model.module.weight.detach().cpu().numpy()
    np.save("springs.npy", weight)  # expect: unguarded-filesystem-write
    writer.close()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
