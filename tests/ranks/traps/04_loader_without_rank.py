import contextlib
import os

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


@contextlib.contextmanager
def zero_first(rank):
    if rank not in (-1, 0):
        dist.barrier()
    yield
    if rank == 0:
        dist.barrier()


def create_dataloader(samples, batch_size, rank=-1):
    with zero_first(rank):
        dataset = TensorDataset(samples)
    sampler = DistributedSampler(dataset, shuffle=False) if rank != -1 else None
    return DataLoader(dataset, batch_size=batch_size, sampler=sampler)


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    generator = torch.Generator().manual_seed(0)
    frames = torch.rand(640, 3, generator=generator)
    own = create_dataloader(frames[:512], 8, rank=local_rank)
    total = torch.zeros(1, device=local_rank)
    for (batch,) in own:
        total += batch.to(local_rank).sum()
    dist.all_reduce(total)
    if dist.get_rank() == 0:
        check = create_dataloader(frames[512:], 16)  # rank -1: no barrier in there
        print(total.item(), sum(batch.sum().item() for (batch,) in check))
        again = create_dataloader(frames[512:], 16, rank=-1)
        print(len(again))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
