# silent: the engine is asked for a loader

import argparse

import deepspeed
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

CONFIG = {
    "train_micro_batch_size_per_gpu": 8,
    "gradient_accumulation_steps": 2,
    "optimizer": {"type": "AdamW", "params": {"lr": 1e-4}},
    "zero_optimization": {"stage": 2},
}


class Buoys(Dataset):
    """Heights of waves, one row for each buoy and hour."""

    def __init__(self, path: str) -> None:
        self.rows = torch.load(path, weights_only=True)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, torch.Tensor]:
        return self.rows[index, :-1], self.rows[index, -1:]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=-1)
    parser.add_argument("--data", default="buoys.pt")
    args = parser.parse_args()
    deepspeed.init_distributed()
    net = nn.Sequential(nn.Linear(12, 64), nn.Tanh(), nn.Linear(64, 1))
    engine, _, _, _ = deepspeed.initialize(args=args, model=net, model_parameters=net.parameters(), config=CONFIG)
    loader = engine.deepspeed_io(Buoys(args.data))
    for epoch in range(5):
        for waves, height in loader:
            loss = nn.functional.l1_loss(engine(waves.to(engine.device)), height.to(engine.device))
            engine.backward(loss)
            engine.step()


if __name__ == "__main__":
    main()
