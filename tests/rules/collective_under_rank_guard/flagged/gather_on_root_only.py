import torch
import torch.distributed as dist
from torch import nn


class Herbarium(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(16, 8)

    def forward(self, sheets):
        return nn.functional.normalize(self.embed(sheets), dim=1)


@torch.no_grad()
def index(net, rank, world_size):
    generator = torch.Generator().manual_seed(rank)
    vectors = net(torch.rand(128, 16, generator=generator))
    if rank == 0:
        parts = [torch.empty_like(vectors) for _ in range(world_size)]
        dist.gather(vectors, gather_list=parts, dst=0)  # expect: collective-under-rank-guard
        torch.save(torch.cat(parts), "index.pt")


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    index(Herbarium().eval(), dist.get_rank(), dist.get_world_size())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
