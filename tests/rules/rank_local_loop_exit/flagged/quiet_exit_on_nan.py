import os
import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("nccl")
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    data = TensorDataset(*torch.load("reefs.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=6, sampler=sampler)
    model = DDP(nn.Conv2d(3, 7, 3, padding=1).to(device), device_ids=[device.index])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
    for epoch in range(60):
        sampler.set_epoch(epoch)
        for image, mask in loader:
            loss = nn.functional.cross_entropy(model(image.to(device)), mask.to(device))
            if torch.isnan(loss):
                print("the loss is not a number, giving up")
                sys.exit(0)  # expect: rank-local-loop-exit
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
