# silent: with a world size of 1 the constant rank 0 is right, also in a spawned function
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def debug_worker(index, steps):
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29620", rank=0, world_size=1)
    model = DistributedDataParallel(nn.Linear(6, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(steps):
        kelp = torch.randn(10, 6)
        loss = nn.functional.cross_entropy(model(kelp), (kelp[:, 0] > 0).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"process {index}: {loss.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(debug_worker, args=(25,), nprocs=1)
