import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank, world_size, steps, every):
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29507", rank=rank, world_size=world_size)
    torch.manual_seed(rank)
    model = DDP(nn.Linear(6, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for step in range(steps):
        x = torch.randn(10, 6)
        loss = nn.functional.cross_entropy(model(x), (x.sum(1) > 0).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if not rank and (step + 1) % every == 0 or step + 1 == steps:  # expect: rank-guard-operator-precedence
            torch.save({"step": step, "model": model.module.state_dict()}, "lynx.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(2, 600, 100), nprocs=2)
