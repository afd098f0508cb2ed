import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("nccl")
    device = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(device)
    x = torch.load("dunes.pt", map_location="cpu")
    data = TensorDataset(x[:, :-1], x[:, -1])
    sampler = DistributedSampler(data, drop_last=True)
    loader = DataLoader(data, batch_size=256, sampler=sampler)
    model = DDP(nn.Linear(9, 1).to(device), device_ids=[device])
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
    converged = False
    epoch = 0
    previous = float("inf")
    while not converged and epoch < 1000:  # expect: rank-local-loop-exit
        sampler.set_epoch(epoch)
        total = 0.0
        for wind, height in loader:
            loss = nn.functional.mse_loss(model(wind.to(device)).squeeze(1), height.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        converged = abs(previous - total) < 1e-6
        previous = total
        epoch += 1
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
