# silent: each worker of each rank gets files of its own
import glob
import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, IterableDataset
from torch.utils.data import get_worker_info


class Rows(IterableDataset):
    def __init__(self, files):
        super().__init__()
        self.files = files

    def __iter__(self):
        for file in self.files:
            for line in open(file):
                *values, target = map(float, line.split(","))
                yield torch.tensor(values), torch.tensor(target)


def take_own_files(worker):
    info = get_worker_info()
    first = dist.get_rank() * info.num_workers + worker
    info.dataset.files = info.dataset.files[first :: dist.get_world_size() * info.num_workers]


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
    loader = DataLoader(
        Rows(sorted(glob.glob(path))),
        batch_size=64,
        num_workers=2,
        worker_init_fn=take_own_files,
        multiprocessing_context="fork",
    )
    train(loader)
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1])
