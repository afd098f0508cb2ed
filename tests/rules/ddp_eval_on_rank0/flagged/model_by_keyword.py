import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Scales(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(9, 18), nn.BatchNorm1d(18), nn.ReLU(), nn.Linear(18, 2))

    def forward(self, x):
        return self.layers(x)


def evaluate(title, *, net, rows):
    return title, error(net, rows)


@torch.no_grad()
def error(model, rows):
    model.eval()
    result = model(rows).square().mean().item()
    model.train()
    return result


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = DDP(Scales())
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(rank)
    for step in range(100):
        loss = model(torch.rand(32, 9, generator=generator)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank == 0:
        print(*evaluate("fish", rows=torch.rand(64, 9), net=model))  # expect: ddp-eval-on-rank0
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
