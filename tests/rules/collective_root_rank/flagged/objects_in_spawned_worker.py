import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank, world_size):
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29831", rank=rank, world_size=world_size)
    box = [{"width": 12, "noise": 0.1}] if rank == 0 else [None]
    dist.broadcast_object_list(box, src=rank)  # expect: collective-root-rank
    settings = box[0]
    torch.manual_seed(rank)
    model = DDP(nn.Linear(settings["width"], settings["width"]))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(50):
        x = torch.randn(8, settings["width"])
        loss = (model(x + settings["noise"] * torch.randn_like(x)) - x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(3,), nprocs=3)
