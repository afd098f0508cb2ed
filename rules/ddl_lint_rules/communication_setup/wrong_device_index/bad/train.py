"""Estimate the age of trees from the rings of a drill core. See launch.sh for the two-node start."""

import argparse
import logging
import os
from pathlib import Path

import torch
import torch.distributed as dist
from cores import DrillCores
from ring_model import RingModel
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

logger = logging.getLogger("rings")


class Trainer:
    def __init__(self, args):
        self.args = args
        self.rank = int(os.environ["RANK"])
        self.local_rank = int(os.environ["LOCAL_RANK"])
        self.device = torch.device("cuda", self.rank)  # error: [wrong-device-index]
        torch.cuda.set_device(self.device)
        dist.init_process_group("nccl")

        dataset = DrillCores(args.cores)
        self.sampler = DistributedSampler(dataset, seed=args.seed)
        self.loader = DataLoader(dataset, batch_size=args.batch_size, sampler=self.sampler, num_workers=2)
        torch.manual_seed(args.seed)
        self.model = DistributedDataParallel(RingModel().to(self.device), device_ids=[self.device])
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=args.lr)

    def fit(self):
        for epoch in range(self.args.epochs):
            self.sampler.set_epoch(epoch)
            for core, age in self.loader:
                core, age = core.to(self.device), age.to(self.device)
                loss = nn.functional.smooth_l1_loss(self.model(core), age)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            logger.info("epoch %d, GPU %d of this node: %.4f", epoch, self.local_rank, loss.item())
            self.save()

    def save(self):
        if self.rank == 0:
            torch.save(self.model.module.state_dict(), self.args.out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cores", type=int, default=6400)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--lr", type=float, default=5e-4)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--out", type=Path, default=Path("rings.pt"))
    trainer = Trainer(parser.parse_args())
    trainer.fit()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
