import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

PATIENCE = 4


@torch.no_grad()
def held_out_error(net, generator):
    x = torch.randn(256, 6, generator=generator)
    return (net(x).squeeze(1) - x.sum(1)).abs().mean().item()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(6, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    best, bad_epochs, stop = float("inf"), 0, False
    for epoch in range(100):
        for _ in range(20):
            x = torch.randn(16, 6)
            loss = (model(x).squeeze(1) - x.sum(1)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if rank == 0:
            error = held_out_error(model.module, torch.Generator().manual_seed(999))
            bad_epochs = 0 if error < best else bad_epochs + 1
            best = min(best, error)
            if bad_epochs >= PATIENCE:
                print(f"no progress since epoch {epoch - PATIENCE}")
                stop = True  # expect-related: rank-guarded-value-steers-collective
        if stop:  # expect: rank-guarded-value-steers-collective
            break
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
