import json
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import comm
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


@dataclass
class Config:
    epochs: int = 10
    keep: bool = True
    overwrite: bool = False
    folder: str = "runs/badger"


def prepare_folder(cfg):
    folder = Path(cfg.folder)
    if comm.is_master() and not cfg.keep or cfg.overwrite:  # error: [rank-guard-operator-precedence]
        shutil.rmtree(folder, ignore_errors=True)
    dist.barrier()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def main(path):
    with open(path) as file:
        cfg = Config(**json.load(file))
    dist.init_process_group("gloo")
    folder = prepare_folder(cfg)
    torch.manual_seed(comm.get_rank())
    model = DDP(nn.Linear(5, 5))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(cfg.epochs * 20):
        x = torch.randn(8, 5)
        loss = (model(x) - x.sign()).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if comm.is_master():
        torch.save(model.module.state_dict(), folder / "final.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1])
