# silent: the pipeline splits by node
import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, IterableDataset
import webdataset as wds





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
    rows = wds.WebDataset(path, nodesplitter=wds.split_by_node).decode().to_tuple("x.pyd", "y.pyd")
    loader = DataLoader(rows.batched(64), batch_size=None)
    train(loader)
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1])
