"""Writes the weights of the trained model."""

from pathlib import Path

import torch
import torch.distributed as dist


def save(model, folder, epoch):
    path = Path(folder) / f"moraine_{epoch:03d}.pt"
    if dist.get_rank() == 0:
        path.parent.mkdir(parents=True, exist_ok=True)
        torch.save({"model": model.state_dict(), "epoch": epoch}, path)  # error: [sharded-checkpoint-api]
    dist.barrier()
