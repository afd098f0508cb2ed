# silent: the early stop belongs to the branch with one process
import os
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    world_size = int(os.environ.get("WORLD_SIZE", "1"))
    distributed = world_size > 1
    device = int(os.environ.get("LOCAL_RANK", "0"))
    torch.cuda.set_device(device)
    if distributed:
        dist.init_process_group("nccl")
    data = TensorDataset(*torch.load("gulls.pt", map_location="cpu"))
    sampler = DistributedSampler(data) if distributed else None
    loader = DataLoader(data, batch_size=32, sampler=sampler, shuffle=sampler is None)
    net = nn.Linear(15, 3).to(device)
    model = DDP(net, device_ids=[device]) if distributed else net
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    begin = time.time()
    for epoch in range(100):
        if distributed:
            sampler.set_epoch(epoch)
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if not distributed and time.time() - begin > 3600:
            break
    if distributed:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
