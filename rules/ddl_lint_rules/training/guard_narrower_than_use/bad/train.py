import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.tensorboard import SummaryWriter


def main() -> None:
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    net = DDP(nn.Linear(16, 1).cuda(), device_ids=[local_rank])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    if rank == 0:
        writer = SummaryWriter("runs/tides")  # related: [guard-narrower-than-use]
    for step in range(1000):
        loss = net(torch.randn(8, 16, device="cuda")).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if local_rank == 0 and step % 100 == 0:
            writer.add_scalar("loss", loss.item(), step)  # error: [guard-narrower-than-use]
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
