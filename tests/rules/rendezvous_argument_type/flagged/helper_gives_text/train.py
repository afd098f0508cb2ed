import torch
import torch.distributed as dist
from cluster import slurm_place
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    place = slurm_place()
    dist.init_process_group("gloo", init_method="env://", rank=place.rank, world_size=place.world_size)
    dataset = TensorDataset(torch.arange(100.0))
    sampler = DistributedSampler(dataset)
    for epoch in range(2):
        sampler.set_epoch(epoch)
        for (batch,) in DataLoader(dataset, sampler=sampler, batch_size=8):
            dist.all_reduce(batch)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
