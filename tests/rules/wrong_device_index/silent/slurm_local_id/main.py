# silent: look-alike, the helper's local index comes from Slurm, and one process is a special case
import torch
import torch.distributed as dist
from slurm import local_rank, world
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    size, rank = world()
    if size == 1:
        print("one process")
        device = torch.device("cuda", 0)
    else:
        device = torch.device("cuda", local_rank())
    torch.cuda.set_device(device)
    dist.init_process_group("nccl", rank=rank, world_size=size)
    model = DistributedDataParallel(nn.Linear(17, 17).to(device), device_ids=[device.index])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(145):
        crane = torch.randn(34, 17, device=device)
        loss = (model(crane) - crane.cummax(dim=1).values).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank == 0:
        torch.save(model.module.state_dict(), "crane.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
