# silent: an assertion keeps the other ranks out of the branch that returns
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

CACHE = "sediment_cache.pt"


def build_cache():
    generator = torch.Generator().manual_seed(1)
    return torch.randn(4096, 5, generator=generator)


def get_table(prepare_only):
    if prepare_only:
        # started by hand, as one process, before the job
        assert dist.get_rank() == 0
        torch.save(build_cache(), CACHE)
        return None
    dist.barrier()
    return torch.load(CACHE, map_location="cpu")


def main():
    dist.init_process_group("gloo")
    table = get_table(os.environ.get("PREPARE_ONLY") == "1")
    if table is None:
        return
    dataset = TensorDataset(table)
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=32, sampler=sampler)
    model = DDP(nn.Sequential(nn.Linear(5, 2), nn.Linear(2, 5)))
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(10):
        sampler.set_epoch(epoch)
        for (x,) in loader:
            loss = nn.functional.mse_loss(model(x), x)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
