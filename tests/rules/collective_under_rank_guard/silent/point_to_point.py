# silent: send and receive stand under rank guards, for that is how they are used
import torch
import torch.distributed as dist
from torch import nn


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    first, second = nn.Linear(5, 7), nn.Linear(7, 1)
    generator = torch.Generator().manual_seed(9)
    for _ in range(40):
        if rank == 0:
            with torch.no_grad():
                hidden = first(torch.rand(16, 5, generator=generator))
            dist.send(hidden, dst=1)
        elif rank == 1:
            hidden = torch.empty(16, 7)
            dist.recv(hidden, src=0)
            print(second(hidden).mean().item())
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
