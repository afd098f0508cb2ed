# silent: who finds no file of its own makes one, and comes to the sum like the others
import os

import torch
import torch.distributed as dist


def features(rank):
    path = f"cache/part_{rank}.pt"
    if os.path.exists(path):
        return torch.load(path, map_location="cpu")
    made = torch.randn(64, 8, generator=torch.Generator().manual_seed(rank))
    torch.save(made, path)
    return made


def main():
    dist.init_process_group("gloo")
    os.makedirs("cache", exist_ok=True)
    mean = features(dist.get_rank()).mean(dim=0)
    dist.all_reduce(mean)
    if dist.get_rank() == 0:
        print(mean / dist.get_world_size())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
