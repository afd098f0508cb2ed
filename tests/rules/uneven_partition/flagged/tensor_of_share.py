import numpy as np
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def measurements(path):
    table = np.load(path)
    mine = np.array_split(table, dist.get_world_size())[dist.get_rank()]  # expect: uneven-partition
    return torch.from_numpy(mine)


def main():
    dist.init_process_group("gloo")
    model = DDP(nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for row in measurements("table.npy"):
        loss = (model(row[:4]) - row[4:]).pow(2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
