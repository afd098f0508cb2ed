"""Model and batches of each spawned process go to GPU 0."""

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank, world_size):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="tcp://127.0.0.1:29705", rank=rank, world_size=world_size)
    model = DDP(nn.Linear(35, 5).cuda(0))  # expect: wrong-device-index
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(195):
        cloud = torch.randn(70, 35)
        label = cloud[:, :5].argmax(dim=1)
        loss = nn.functional.cross_entropy(
            model(cloud.cuda(0, non_blocking=True)),  # expect: wrong-device-index
            label.to("cuda:0"),  # expect: wrong-device-index
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank == 0:
        torch.save(model.module.state_dict(), "cloud.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    gpus = torch.cuda.device_count()
    mp.spawn(worker, args=(gpus,), nprocs=gpus)
