from dataclasses import dataclass

import torch
from torch.utils import data


@dataclass
class FeedConfig:
    batch_size: int = 40
    workers: int = 2


def market_days(n=7000):
    generator = torch.Generator().manual_seed(19)
    price = torch.randn(n, 20, generator=generator).cumsum(dim=1)
    return data.TensorDataset(price[:, :-1], price[:, -1:])


def train_feed(cfg: FeedConfig):
    days = market_days()
    return data.DataLoader(days, batch_size=cfg.batch_size, num_workers=cfg.workers, shuffle=True)  # error: [missing-distributed-sampler]
