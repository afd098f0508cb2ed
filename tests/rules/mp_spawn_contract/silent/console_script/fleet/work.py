import torch
import torch.distributed as dist


def work(rank, size, url):
    dist.init_process_group("gloo", init_method=url, rank=rank, world_size=size)
    boats = torch.tensor([rank + 1])
    dist.all_reduce(boats)
    print(rank, boats.item())
    dist.destroy_process_group()
