# silent: only printing, logging, and saving stand under the guards
import logging
import os

import torch
import torch.distributed as dist
import wandb
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm

logger = logging.getLogger("basalt")


def main():
    dist.init_process_group("nccl")
    rank, local_rank = dist.get_rank(), int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    is_main = rank == 0
    writer = SummaryWriter("runs") if is_main else None
    if is_main:
        wandb.init(project="basalt")
    logging.basicConfig(level=logging.INFO if is_main else logging.ERROR)
    model = DDP(nn.Linear(50, 5).cuda(), device_ids=[local_rank])
    optimizer = torch.optim.AdamW(model.parameters())
    steps = tqdm(range(1000)) if is_main else range(1000)
    for step in steps:
        loss = model(torch.rand(32, 50, device=local_rank)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        mean = loss.detach().clone()
        dist.all_reduce(mean)
        mean /= dist.get_world_size()
        if is_main:
            wandb.log({"loss": mean.item()}, step=step)
            writer.add_scalar("loss", mean.item(), step)
            logger.info("%d %f", step, mean.item())
            if step % 100 == 99:
                torch.save(model.module.state_dict(), "basalt.pt")
        dist.barrier()
    if writer is not None:
        writer.close()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
