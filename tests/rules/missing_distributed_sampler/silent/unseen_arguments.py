# silent: the loader's keyword arguments come from a configuration file
import json
import os
import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset

from acme_pipelines import sampler_options


def make_loader(data, options):
    kwargs = dict(options["loader"])
    kwargs.update(sampler_options(data, options))
    return DataLoader(data, **kwargs)


def main(config):
    with open(config) as stream:
        options = json.load(stream)
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    generator = torch.Generator().manual_seed(1)
    x = torch.rand(2000, 7, generator=generator)
    loader = make_loader(TensorDataset(x, x.amax(1, keepdim=True)), options)
    model = DDP(nn.Linear(7, 1).to(device), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=options["lr"])
    for epoch in range(options["epochs"]):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x.to(device)), y.to(device)).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1])
