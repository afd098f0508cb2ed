import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class TideTrainer:
    """Predicts the water level at a gauge from the last day."""

    def __init__(self, steps, lr):
        self.rank = dist.get_rank()
        self.world_size = dist.get_world_size()
        self.steps = steps
        self.model = DistributedDataParallel(nn.Sequential(nn.Linear(24, 48), nn.GELU(), nn.Linear(48, 1)))
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=lr)

    def fit(self):
        torch.manual_seed(self.rank)
        for step in range(self.steps):
            day = torch.randn(64, 24)
            loss = (self.model(day).squeeze(1) - day.mean(1)).pow(2).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            if step % 20 == 0:
                self.log(step, loss.detach())

    def log(self, step, loss):
        if self.rank > 0:
            return  # expect: early-exit-before-collective
        dist.all_reduce(loss)
        print(f"{step:6d} {loss.item() / self.world_size:.4f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--lr", type=float, default=1e-3)
    args = parser.parse_args()
    dist.init_process_group(backend="gloo")
    TideTrainer(args.steps, args.lr).fit()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
