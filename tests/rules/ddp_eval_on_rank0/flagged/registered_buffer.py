import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Clock(nn.Module):
    """Adds an angle to each of the places of a sequence."""

    def __init__(self, width=8, length=100):
        super().__init__()
        self.register_buffer("angles", torch.linspace(0, 6.28, length).sin())
        self.mix = nn.Linear(width, width)

    def forward(self, series):
        return self.mix(series + self.angles[: series.shape[1], None])


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = DDP(Clock())
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(rank)
    for _ in range(100):
        series = torch.rand(4, 60, 8, generator=generator)
        loss = (model(series) - series).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank == 0:
        with torch.no_grad():
            plot = model(torch.zeros(1, 100, 8))  # expect: ddp-eval-on-rank0
        torch.save(plot, "plot.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
