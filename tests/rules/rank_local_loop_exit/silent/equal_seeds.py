# silent: all ranks draw the same numbers, for all have the same seed
import os
import random

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    random.seed(17)
    torch.manual_seed(17)
    dist.init_process_group("nccl")
    device = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(device)
    data = TensorDataset(*torch.load("lichens.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=32, sampler=sampler)
    model = DDP(nn.Linear(15, 3).to(device), device_ids=[device])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    epoch = 0
    while True:
        sampler.set_epoch(epoch)
        for x, y in loader:
            if random.random() < 0.05:
                dist.barrier()
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        epoch += 1
        if random.random() < 0.01:
            break
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
