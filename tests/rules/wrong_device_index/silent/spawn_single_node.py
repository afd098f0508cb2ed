# silent: mp.spawn on one machine, where the rank is the index of the GPU
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def worker(rank, world_size):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="tcp://127.0.0.1:29700", rank=rank, world_size=world_size)
    device = torch.device(f"cuda:{rank}")
    model = DistributedDataParallel(nn.Linear(3, 3).to(device), device_ids=[dist.get_rank()])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(20):
        gravel = torch.randn(6, 3, device=torch.device("cuda", rank))
        loss = (model(gravel) - gravel.tanh()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank == 0:
        print(loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(torch.cuda.device_count(),), nprocs=torch.cuda.device_count())
