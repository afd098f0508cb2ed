# silent: the data set is one shard of the whole
import os

import torch
import torch.distributed as dist
from datasets import load_dataset
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader


def load_own_shard(path, rank, world_size):
    everything = load_dataset("csv", data_files=path, split="train")
    equal = everything.select(range(len(everything) // world_size * world_size))
    return equal.shard(num_shards=world_size, index=rank).with_format("torch")


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    rides = load_own_shard(os.environ["RIDES_CSV"], dist.get_rank(), dist.get_world_size())
    loader = DataLoader(rides, batch_size=128, shuffle=True)
    model = DistributedDataParallel(nn.Linear(2, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
    for epoch in range(3):
        for ride in loader:
            features = torch.stack([ride["distance"], ride["hour"]], dim=1).float()
            optimizer.zero_grad()
            nn.functional.mse_loss(model(features).squeeze(1), ride["minutes"].float()).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
