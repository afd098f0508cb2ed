# silent: the download idiom as a class with __enter__ and __exit__
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class FirstOnNode:
    def __init__(self, rank):
        self.first = rank == 0

    def __enter__(self):
        if not self.first:
            dist.barrier()
        return self.first

    def __exit__(self, *exception):
        if self.first:
            dist.barrier()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    with FirstOnNode(rank) as first:
        if first:
            torch.save(torch.rand(256, 8, generator=torch.Generator().manual_seed(6)), "/tmp/knots.pt")
        knots = torch.load("/tmp/knots.pt", map_location="cpu")
    model = DDP(nn.Linear(8, 8))
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(rank)
    for _ in range(60):
        chosen = knots[torch.randint(256, (16,), generator=generator)]
        loss = (model(chosen) - chosen.flip(1)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
