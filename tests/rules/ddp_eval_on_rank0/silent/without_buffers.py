# silent: the model has no buffers, so that its forward communicates nothing
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(12)
        self.batch = nn.BatchNorm1d(12, track_running_stats=False)
        self.out = nn.Linear(12, 12)

    def forward(self, rows):
        return self.out(self.batch(self.norm(rows)))


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = DDP(Mixer())
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(rank)
    for _ in range(100):
        loss = model(torch.rand(16, 12, generator=generator)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank == 0:
        model.eval()
        with torch.no_grad():
            print(model(torch.rand(10, 12, generator=generator)).mean().item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
