# silent: each process sees one GPU, which is its number 0
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def worker(local_rank, world_size):
    os.environ["CUDA_VISIBLE_DEVICES"] = str(local_rank)
    torch.cuda.set_device(0)
    dist.init_process_group("nccl", init_method="tcp://127.0.0.1:29701", rank=local_rank, world_size=world_size)
    device = torch.device("cuda:0")
    model = DistributedDataParallel(nn.Linear(31, 3).to(device), device_ids=[0])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(105):
        heron = torch.randn(62, 31, device=device)
        loss = nn.functional.cross_entropy(model(heron), heron[:, :3].argmax(dim=1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if local_rank == 0:
        torch.save(model.module.state_dict(), "heron.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(4,), nprocs=4)
