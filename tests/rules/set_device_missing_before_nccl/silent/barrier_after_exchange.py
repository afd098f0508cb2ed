# silent: look-alike, the barrier takes the GPU on which the group has already exchanged tensors
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def worker(rank, world_size):
    dist.init_process_group("nccl", init_method="tcp://127.0.0.1:29674", rank=rank, world_size=world_size)
    model = DistributedDataParallel(nn.Linear(7, 7).to(rank), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(40):
        clay = torch.randn(14, 7).to(rank)
        loss = (model(clay) - clay.abs()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.barrier()
    if rank == 0:
        torch.save(model.module.state_dict(), "clay.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(torch.cuda.device_count(),), nprocs=torch.cuda.device_count())
