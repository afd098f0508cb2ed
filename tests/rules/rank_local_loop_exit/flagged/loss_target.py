import argparse

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn, optim
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def worker(rank, world_size, options):
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29561", rank=rank, world_size=world_size)
    torch.manual_seed(0)
    x = torch.randn(4096, 24)
    data = TensorDataset(x, (x[:, 0] * x[:, 1] > 0).long())
    sampler = DistributedSampler(data, num_replicas=world_size, rank=rank)
    loader = DataLoader(data, batch_size=options.batch, sampler=sampler)
    net = DDP(nn.Sequential(nn.Linear(24, 50), nn.ReLU(), nn.Linear(50, 2)))
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(net.parameters(), lr=0.1)
    epoch = 0
    while True:
        sampler.set_epoch(epoch)
        running = 0.0
        for inputs, labels in loader:
            optimizer.zero_grad()
            loss = criterion(net(inputs), labels)
            loss.backward()
            optimizer.step()
            running += loss.item()
        epoch += 1
        if running / len(loader) < options.target:
            break  # expect: rank-local-loop-exit
    print(f"rank {rank} reached the target after {epoch} epochs")
    dist.destroy_process_group()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--target", type=float, default=0.1)
    parser.add_argument("--gpus", type=int, default=2)
    options = parser.parse_args()
    mp.spawn(worker, args=(options.gpus, options), nprocs=options.gpus)
