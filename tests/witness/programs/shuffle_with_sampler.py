# witness: crashes with "sampler option is mutually exclusive with shuffle"
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main():
    dist.init_process_group("gloo")
    dataset = TensorDataset(torch.arange(32.0))
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=4, shuffle=True, sampler=sampler)
    total = torch.zeros(())
    for epoch in range(2):
        sampler.set_epoch(epoch)
        for (x,) in loader:
            total += x.sum()
    dist.all_reduce(total)
    print("result:", total.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
