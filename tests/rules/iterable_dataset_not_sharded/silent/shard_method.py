# silent: a shard of the stream for each rank
import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, IterableDataset
from datasets import load_dataset





def train(loader, epochs=3):
    torch.manual_seed(0)
    model = DDP(nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(epochs):
        for inputs, target in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(inputs).squeeze(1), target)
            loss.backward()
            optimizer.step()


def main(path):
    dist.init_process_group("gloo")
    rows = load_dataset("csv", data_files=path, split="train", streaming=True).with_format("torch")
    rows = rows.shard(num_shards=dist.get_world_size(), index=dist.get_rank())
    loader = DataLoader(rows, batch_size=64)
    train(loader)
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1])
