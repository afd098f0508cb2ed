import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn

TAG_WEIGHTS = 1


def worker(rank, world_size):
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29911", rank=rank, world_size=world_size)
    torch.manual_seed(rank)
    model = nn.Linear(10, 10)
    flat = nn.utils.parameters_to_vector(model.parameters()).detach()
    if rank == 0:
        dist.send(flat, dst=1, tag=TAG_WEIGHTS)  # expect: p2p-unmatched
    else:
        dist.recv(flat, src=0, tag=0)
        nn.utils.vector_to_parameters(flat, model.parameters())
    print(rank, flat.norm().item())
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(2,), nprocs=2)
