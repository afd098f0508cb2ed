import os
import random

import numpy as np
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler

SEED = 7


class Leaves(Dataset):
    def __len__(self):
        return 4000

    def __getitem__(self, index):
        leaf = np.full((16,), float(index), dtype="float32")
        if random.random() < 0.5:
            leaf = leaf[::-1].copy()
        return torch.from_numpy(leaf + np.random.normal(size=16).astype("float32"))


def prepare_worker(number):
    random.seed(SEED + number)
    np.random.seed(SEED + number)


def main():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    leaves = Leaves()
    sampler = DistributedSampler(leaves)
    loader = DataLoader(  # error: [worker-seed-same-on-all-ranks]
        leaves, batch_size=32, sampler=sampler, num_workers=4, worker_init_fn=prepare_worker
    )
    model = DDP(nn.Linear(16, 4).cuda(), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(5):
        sampler.set_epoch(epoch)
        for leaf in loader:
            optimizer.zero_grad()
            model(leaf.cuda()).pow(2).mean().backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
