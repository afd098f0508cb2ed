import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data import distributed as sharding


class Training:
    def __init__(self, args):
        self.args = args
        self.local_rank = int(os.environ["LOCAL_RANK"])
        torch.cuda.set_device(self.local_rank)
        dist.init_process_group("nccl")
        self.world_size = dist.get_world_size()
        self.device = torch.device("cuda", self.local_rank)
        torch.manual_seed(args.seed)
        self.net = DDP(nn.Linear(6, 2).to(self.device), device_ids=[self.local_rank])
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=args.lr)

    def prepare_data(self):
        generator = torch.Generator().manual_seed(2)
        dice = torch.randint(1, 7, (6400, 6), generator=generator).float()
        data = TensorDataset(dice, (dice.sum(1) > 21).long())
        self.sampler = sharding.DistributedSampler(data, self.world_size, self.local_rank)  # expect: sampler-rank-from-local-rank
        self.loader = DataLoader(data, batch_size=self.args.batch_size, sampler=self.sampler)

    def run(self):
        for epoch in range(self.args.epochs):
            self.sampler.set_epoch(epoch)
            for dice, high in self.loader:
                self.optimizer.zero_grad()
                nn.functional.cross_entropy(self.net(dice.to(self.device)), high.to(self.device)).backward()
                self.optimizer.step()
            if dist.get_rank() == 0:
                print("epoch", epoch)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=0)
    training = Training(parser.parse_args())
    training.prepare_data()
    training.run()
    dist.destroy_process_group()
