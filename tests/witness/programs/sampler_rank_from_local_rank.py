# witness: wrong, on 2 nodes
import os

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    dist.init_process_group("gloo")
    dataset = TensorDataset(torch.arange(32.0))
    sampler = DistributedSampler(dataset, num_replicas=dist.get_world_size(), rank=local_rank, shuffle=False)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    total = torch.zeros(())
    for (x,) in loader:
        total += x.sum()
    dist.all_reduce(total)
    print("result:", total.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
