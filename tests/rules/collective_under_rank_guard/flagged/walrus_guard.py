import torch
import torch.distributed as dist
from torch import nn


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(3)
    net = nn.Linear(2, 2)
    if (rank := dist.get_rank()) > 0:
        print(f"{rank} is ready")
        dist.monitored_barrier()  # expect: collective-under-rank-guard
    generator = torch.Generator().manual_seed(rank)
    heat = torch.zeros(2)
    with torch.no_grad():
        for _ in range(10):
            heat += net(torch.rand(9, 2, generator=generator)).sum(0)
    print(rank, heat.tolist())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
