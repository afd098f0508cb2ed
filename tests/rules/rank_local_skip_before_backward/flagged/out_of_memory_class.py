import os

import torch
import torch.distributed as dist
from torch import nn
from torch.cuda import OutOfMemoryError
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("nccl")
    device = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(device)
    data = TensorDataset(*torch.load("sonnets.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=2, sampler=sampler)
    model = DDP(nn.Linear(2048, 50000).to(device), device_ids=[device])
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(4):
        sampler.set_epoch(epoch)
        for step, (words, following) in enumerate(loader):
            optimizer.zero_grad()
            try:
                loss = nn.functional.cross_entropy(model(words.to(device)), following.to(device))
            except (OutOfMemoryError, torch.OutOfMemoryError):  # expect: rank-local-skip-before-backward
                print("step", step, "does not fit")
                torch.cuda.empty_cache()
                continue
            loss.backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
