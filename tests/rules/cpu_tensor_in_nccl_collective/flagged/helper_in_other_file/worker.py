import os

import comm
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn

BACKEND = "nccl"


def run(rank, world_size, port):
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = port
    torch.cuda.set_device(rank)
    dist.init_process_group(BACKEND, rank=rank, world_size=world_size)
    group = dist.new_group(list(range(world_size)))
    model = nn.Linear(10, 2).to(rank)
    correct = seen = 0
    for _ in range(20):
        images, labels = torch.randn(16, 10), torch.randint(0, 2, (16,))
        predicted = model(images.to(rank)).argmax(dim=1)
        correct += (predicted == labels.to(rank)).sum().item()
        seen += labels.size(0)
    accuracy = comm.average(torch.tensor(correct / seen), group)  # error: [cpu-tensor-in-nccl-collective]
    if rank == 0:
        print(f"accuracy {accuracy:.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    size = torch.cuda.device_count()
    mp.spawn(run, args=(size, os.environ.get("MASTER_PORT", "29511")), nprocs=size)
