# silent: look-alike, a spawned worker runs its whole body under `with torch.cuda.device(rank)`
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def body(rank):
    model = DistributedDataParallel(nn.Linear(6, 1).cuda(), device_ids=[rank])
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(30):
        silt = torch.randn(9, 6).to("cuda")
        loss = (model(silt).squeeze(1) - silt.sum(dim=1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.barrier()
    return loss.item()


def worker(rank, world_size):
    with torch.cuda.device(rank):
        dist.init_process_group("nccl", init_method="tcp://127.0.0.1:29673", rank=rank, world_size=world_size)
        loss = body(rank)
        if rank == 0:
            print(loss)
        dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(torch.cuda.device_count(),), nprocs=torch.cuda.device_count())
