# silent: the rank is that of a low-rank adapter, not of a process
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Adapted(nn.Module):
    def __init__(self, size, rank=8):
        super().__init__()
        self.rank = rank
        self.base = nn.Linear(size, size)
        self.base.requires_grad_(False)
        if rank > 0:
            self.down = nn.Linear(size, rank, bias=False)
            self.up = nn.Linear(rank, size, bias=False)

    def forward(self, x):
        out = self.base(x)
        if self.rank > 0:
            out = out + self.up(self.down(x))
        return out

    def synchronize(self):
        if self.rank == 0:
            dist.all_reduce(self.base.weight.data)
            return
        for layer in (self.down, self.up):
            dist.all_reduce(layer.weight.data)
            layer.weight.data /= dist.get_world_size()


def main():
    dist.init_process_group("gloo")
    net = Adapted(32, rank=4)
    model = DDP(net)
    optimizer = torch.optim.Adam([p for p in net.parameters() if p.requires_grad])
    generator = torch.Generator().manual_seed(dist.get_rank())
    for _ in range(50):
        loss = model(torch.rand(8, 32, generator=generator)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    net.synchronize()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
