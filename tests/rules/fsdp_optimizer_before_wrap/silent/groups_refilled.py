# silent: the program puts the shards into the optimizer's groups itself
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import fully_shard


def pointers(model):
    return {name: parameter.data_ptr() for name, parameter in model.named_parameters()}


def swap(model, optimizer, old):
    shards = dict(model.named_parameters())
    mapping = {pointer: shards[name] for name, pointer in old.items()}
    for group in optimizer.param_groups:
        group["params"] = [mapping[p.data_ptr()] for p in group["params"]]


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1)).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    old = pointers(model)
    fully_shard(model)
    swap(model, optimizer, old)
    for step in range(100):
        loss = model(torch.randn(32, 64, device="cuda")).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
