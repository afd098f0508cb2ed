import torch
import torch.distributed as dist
import wandb
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main() -> None:
    dist.init_process_group("nccl")  # related: [logger-on-all-ranks]
    rank = dist.get_rank()
    torch.cuda.set_device(rank % torch.cuda.device_count())
    wandb.init(project="tides")  # error: [logger-on-all-ranks]
    net = DDP(nn.Linear(16, 1).cuda())
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(1000):
        loss = net(torch.randn(8, 16, device="cuda")).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if rank == 0:
            wandb.log({"loss": loss.item()})
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
