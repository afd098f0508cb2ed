import torch
import torch.distributed as dist


def train(rank, world_size, name):
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29648", rank=rank, world_size=world_size)
    numbers = torch.arange(4.0) + rank
    dist.all_reduce(numbers)
    print(name, rank, numbers.tolist())
    dist.destroy_process_group()
