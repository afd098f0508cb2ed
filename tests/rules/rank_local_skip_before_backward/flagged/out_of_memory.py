import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("nccl")
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    data = TensorDataset(*torch.load("scrolls.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=4, sampler=sampler)
    model = DDP(nn.Linear(4096, 4096).to(device), device_ids=[device.index])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for x, y in loader:
            try:
                loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            except RuntimeError as error:  # expect: rank-local-skip-before-backward
                if "out of memory" in str(error):
                    print("out of memory, next batch")
                    torch.cuda.empty_cache()
                else:
                    raise
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
