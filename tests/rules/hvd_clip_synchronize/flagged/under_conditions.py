import argparse

import horovod.torch as hvd
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Trainer:
    def __init__(self, args):
        self.args = args
        self.model = torch.nn.GRU(8, 1, batch_first=True).cuda()
        plain = torch.optim.Adam(self.model.parameters(), lr=args.lr * hvd.size())
        self.optim = hvd.DistributedOptimizer(plain, named_parameters=self.model.named_parameters())
        hvd.broadcast_parameters(self.model.state_dict(), root_rank=0)
        hvd.broadcast_optimizer_state(self.optim, root_rank=0)

    def update(self, series, target):
        self.optim.zero_grad()
        loss = F.mse_loss(self.model(series.cuda())[0], target.cuda())
        loss.backward()
        # Long series have steep gradients.
        if self.args.clip:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.args.clip)  # expect: hvd-clip-synchronize
        self.optim.step()  # waits for all ranks
        return loss.item()


def main():
    parser = argparse.ArgumentParser(description="Forecast the load of a grid")
    parser.add_argument("--data", default="load.pt")
    parser.add_argument("--clip", type=float, default=1.0)
    parser.add_argument("--lr", type=float, default=1e-3)
    args = parser.parse_args()
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())

    blob = torch.load(args.data, map_location="cpu")
    train_set = TensorDataset(blob["series"], blob["target"])
    sampler = DistributedSampler(train_set, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(train_set, batch_size=64, sampler=sampler)
    trainer = Trainer(args)
    for epoch in range(20):
        sampler.set_epoch(epoch)
        for series, target in loader:
            trainer.update(series, target)


if __name__ == "__main__":
    main()
