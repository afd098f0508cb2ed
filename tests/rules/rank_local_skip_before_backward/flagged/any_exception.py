import argparse
import traceback

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Learner:
    def __init__(self, net, rank):
        self.net = DDP(net.to(rank), device_ids=[rank])
        self.rank = rank
        self.loss = nn.SmoothL1Loss()
        self.optimizer = torch.optim.NAdam(self.net.parameters())

    def learn(self, loader):
        for state, value in loader:
            try:
                state, value = state.to(self.rank), value.to(self.rank)
                self.optimizer.zero_grad()
                loss = self.loss(self.net(state), value)
                loss.backward()
                self.optimizer.step()
            except Exception:  # expect: rank-local-skip-before-backward
                traceback.print_exc()
                continue


def worker(rank, world_size, epochs):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="tcp://127.0.0.1:29571", rank=rank, world_size=world_size)
    data = TensorDataset(*torch.load("positions.pt", map_location="cpu"))
    sampler = DistributedSampler(data, num_replicas=world_size, rank=rank)
    loader = DataLoader(data, batch_size=512, sampler=sampler)
    learner = Learner(nn.Linear(64, 1), rank)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        learner.learn(loader)
    dist.destroy_process_group()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    args = parser.parse_args()
    gpus = torch.cuda.device_count()
    mp.spawn(worker, args=(gpus, args.epochs), nprocs=gpus)
