# silent: the loop that the value ends is without collectives, and the others make as many as rank 0
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def choose_threshold(model, rank):
    """Rank 0 looks for a threshold, which the others are then told."""
    threshold, search = torch.zeros(1), False
    if rank == 0:
        search = True
    generator = torch.Generator().manual_seed(17)
    while search:
        x = torch.randn(64, 3, generator=generator)
        with torch.no_grad():
            share = (model.module(x) > threshold).float().mean().item()
        threshold += 0.01
        search = share > 0.2 and threshold.item() < 3
    dist.broadcast(threshold, src=0)
    return threshold.item()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(3, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(5):
        for _ in range(20):
            x = torch.randn(16, 3)
            loss = (model(x).squeeze(1) - x.amax(1)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        threshold = choose_threshold(model, rank)
        if rank == 0:
            print(f"{threshold:.2f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
