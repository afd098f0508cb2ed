# silent: a text chooses between the wrappers
import argparse
import os

import deepspeed
import torch
from readings import Readings
from torch import nn
from torch.nn.parallel import DistributedDataParallel

CONFIG = {"train_micro_batch_size_per_gpu": 4, "zero_optimization": {"stage": 2}}

def wrap(kind: str, net: nn.Module) -> nn.Module:
    if kind == "ddp":
        net = DistributedDataParallel(net.cuda(), device_ids=[int(os.environ["LOCAL_RANK"])])
    return net


class Forecaster(nn.Module):
    def __init__(self, width: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(32, width), nn.GELU(), nn.Linear(width, 1))

    def forward(self, readings: torch.Tensor) -> torch.Tensor:
        return self.body(readings)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=-1)
    parser.add_argument("--kind", default="deepspeed")
    args = parser.parse_args()
    deepspeed.init_distributed()
    net = Forecaster()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-4)
    net = wrap(args.kind, net)
    scaler = torch.amp.GradScaler()
    loader = Readings('train').loader()
    if args.kind == "deepspeed":
        net, optimizer, loader, _ = deepspeed.initialize(
            model=net, optimizer=optimizer, training_data=Readings("train"), config=CONFIG
        )
    for _ in range(3):
        for readings, target in loader:
            loss = nn.functional.mse_loss(net(readings), target)
            if args.kind == "deepspeed":
                net.backward(loss)
                net.step()
            else:
                scaler.scale(loss).backward()
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()


if __name__ == "__main__":
    main()
