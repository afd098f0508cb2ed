# silent: safetensors reads onto the CPU unless told otherwise; np.load and json.load are no torch.load either
import json
import os

import numpy as np
import torch
import torch.distributed as dist
from safetensors.torch import load_file
from safetensors.torch import load_model as load
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    with open("head.json") as handle:
        sizes = json.load(handle)
    body = nn.Linear(sizes["inputs"], sizes["hidden"])
    head = nn.Linear(sizes["hidden"], sizes["classes"])
    load(body, "body.safetensors")
    head.load_state_dict(load_file("head.safetensors"))
    model = DDP(nn.Sequential(body, nn.ReLU(), head).to(local_rank), device_ids=[local_rank])
    features = torch.from_numpy(np.load("features.npy")).float()
    labels = torch.from_numpy(np.load("labels.npy")).long()
    data = TensorDataset(features, labels)
    sampler = DistributedSampler(data, shuffle=True)
    loader = DataLoader(data, batch_size=128, sampler=sampler)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(8):
        sampler.set_epoch(epoch)
        for x, y in loader:
            opt.zero_grad()
            nn.functional.cross_entropy(model(x.to(local_rank)), y.to(local_rank)).backward()
            opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
