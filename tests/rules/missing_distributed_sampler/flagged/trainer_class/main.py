import os

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import TensorDataset

from engine import Trainer


def signals(n):
    generator = torch.Generator().manual_seed(1)
    wave = torch.randn(n, 100, generator=generator)
    return TensorDataset(wave, wave.std(dim=1, keepdim=True))


if __name__ == "__main__":
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = nn.Sequential(nn.Linear(100, 64), nn.ReLU(), nn.Linear(64, 1))
    trainer = Trainer(model, signals(12_000), torch.optim.AdamW, local_rank, batch_size=60)
    trainer.fit(epochs=20)
    if dist.get_rank() == 0:
        torch.save(trainer.model.module.state_dict(), "quality.pt")
    dist.destroy_process_group()
