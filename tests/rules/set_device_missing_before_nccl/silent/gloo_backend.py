# silent: with gloo several processes may share one GPU, here on purpose
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def rehearse(rank, world_size):
    """Try the code of the cluster on a laptop with a single GPU."""
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29672", rank=rank, world_size=world_size)
    model = DistributedDataParallel(nn.Linear(5, 5).cuda())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        flute = torch.randn(4, 5, device="cuda")
        loss = (model(flute) - flute).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.barrier()
    if rank == 0:
        print(loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(rehearse, args=(2,), nprocs=2)
