"""Writes the weights of the trained model."""

from pathlib import Path

import torch
import torch.distributed as dist
from torch.distributed.checkpoint.state_dict import StateDictOptions
from torch.distributed.checkpoint.state_dict import get_model_state_dict


def save(model, folder, epoch):
    path = Path(folder) / f"moraine_{epoch:03d}.pt"
    state = get_model_state_dict(model, options=StateDictOptions(full_state_dict=True, cpu_offload=True))
    if dist.get_rank() == 0:
        path.parent.mkdir(parents=True, exist_ok=True)
        torch.save({"model": state, "epoch": epoch}, path)
    dist.barrier()
