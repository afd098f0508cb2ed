import torch
import torch.distributed as dist
from torch import nn


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(11)
    filters = nn.Conv1d(1, 4, 5)
    generator = torch.Generator().manual_seed(1000 + rank)
    energy = torch.zeros(4)
    with torch.no_grad():
        for _ in range(50):
            echo = torch.randn(16, 1, 200, generator=generator)
            energy += filters(echo).square().mean((0, 2))
    rank == 0 and dist.all_reduce(energy)  # expect: collective-under-rank-guard
    if rank == 0:
        print((energy / 50 / dist.get_world_size()).tolist())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
