import os

import numpy as np
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    data = TensorDataset(torch.from_numpy(np.load("corpus/ids.npy")))
    sampler = DistributedSampler(data, shuffle=True)
    loader = DataLoader(data, batch_size=20, sampler=sampler)
    model = DDP(nn.Sequential(nn.Embedding(1000, 64), nn.Linear(64, 1000)).to(local_rank), device_ids=[local_rank])
    opt = torch.optim.AdamW(model.parameters())
    for epoch in range(2):
        sampler.set_epoch(epoch)
        for (ids,) in loader:
            ids = ids.to(local_rank)
            opt.zero_grad()
            nn.functional.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten()).backward()
            opt.step()
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "bigram.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
