"""Drift of sea ice: two halves of the map on two ranks, which exchange their edge rows.

torchrun --nproc-per-node 2 train_ice.py
"""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

HEIGHT, WIDTH = 64, 256


def half_map(rank: int, generator: torch.Generator) -> torch.Tensor:
    """Thickness of the ice in the half that the rank looks after."""
    north = torch.linspace(3, 2, HEIGHT) if rank == 0 else torch.linspace(2, 0, HEIGHT)
    return north[:, None] + 0.1 * torch.randn(HEIGHT, WIDTH, generator=generator)


def neighbour_row(ice: torch.Tensor, rank: int) -> torch.Tensor:
    """The row of the other half that touches this one."""
    edge = ice[-1] if rank == 0 else ice[0]
    row = torch.empty_like(edge)
    peer = 1 - rank
    dist.send(edge.contiguous(), dst=peer)  # error: [p2p-unmatched]
    dist.recv(row, src=peer)
    return row


def padded(ice: torch.Tensor, row: torch.Tensor, rank: int) -> torch.Tensor:
    parts = [ice[:1], ice, row[None]] if rank == 0 else [row[None], ice, ice[-1:]]
    return torch.cat(parts)[None, None]


def main() -> None:
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(3)
    generator = torch.Generator().manual_seed(rank)
    model = DDP(nn.Sequential(nn.Conv2d(1, 8, (3, 1)), nn.Tanh(), nn.Conv2d(8, 1, 1)))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for day in range(200):
        today = half_map(rank, generator)
        tomorrow = today.roll(1, dims=1)
        guess = model(padded(today, neighbour_row(today, rank), rank))[0, 0]
        loss = nn.functional.mse_loss(guess, tomorrow)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if rank == 0 and day % 50 == 49:
            print(f"day {day}: {loss.item():.4f}")
            torch.save(model.module.state_dict(), "ice.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
