import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def hand_out(rank, world_size, weights, norms):
    if rank == 0:
        chunks = list(weights.chunk(world_size))
        mine = torch.empty_like(chunks[0])
        dist.scatter(mine, chunks, src=0)  # expect: collective-order-differs
        dist.all_gather(norms, mine.norm())
        return mine
    mine = torch.empty(weights.numel() // world_size)
    dist.all_gather(norms, mine.norm())
    dist.scatter(mine, src=0)
    return mine


def worker(rank, world_size):
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29711", rank=rank, world_size=world_size)
    torch.manual_seed(rank)
    model = DDP(nn.Linear(8, 8, bias=False))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    for _ in range(40):
        x = torch.randn(8, 8)
        loss = (model(x) - x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    norms = [torch.zeros(()) for _ in range(world_size)]
    mine = hand_out(rank, world_size, model.module.weight.detach().flatten(), norms)
    print(rank, mine.shape)
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(4,), nprocs=4)
