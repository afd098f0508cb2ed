"""Match photos of dishes to recipes: torchrun --nproc_per_node=4 match_recipes.py"""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.functional import cross_entropy, normalize
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def from_all_ranks(features):
    parts = [torch.zeros_like(features) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, features)  # error: [gathered-without-gradient]
    return torch.cat(parts)


class Matcher(nn.Module):
    def __init__(self):
        super().__init__()
        self.dish = nn.Linear(96, 32)
        self.recipe = nn.Linear(48, 32)
        self.sharpness = nn.Parameter(torch.tensor(2.0))

    def forward(self, dish, recipe):
        return normalize(self.dish(dish)), normalize(self.recipe(recipe)), self.sharpness.exp()  # related: [gathered-without-gradient]


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = DDP(Matcher().cuda(), device_ids=[local_rank], find_unused_parameters=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    pairs = TensorDataset(torch.randn(4096, 96), torch.randn(4096, 48))
    sampler = DistributedSampler(pairs)
    loader = DataLoader(pairs, batch_size=32, sampler=sampler, drop_last=True)
    for epoch in range(4):
        sampler.set_epoch(epoch)
        for dishes, recipes in loader:
            dish, recipe, sharpness = model(dishes.cuda(), recipes.cuda())
            scores = sharpness * from_all_ranks(dish) @ from_all_ranks(recipe).T
            pair = torch.arange(len(scores), device="cuda")
            optimizer.zero_grad()
            (cross_entropy(scores, pair) + cross_entropy(scores.T, pair)).backward()  # related: [gathered-without-gradient]
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
