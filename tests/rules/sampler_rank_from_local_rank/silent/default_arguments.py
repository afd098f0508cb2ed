# silent: both arguments are left out; the sampler asks the process group
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    rank, local_rank = int(os.environ["RANK"]), int(os.environ["LOCAL_RANK"])
    gpus_here = int(os.environ["LOCAL_WORLD_SIZE"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    generator = torch.Generator().manual_seed(18)
    threads = torch.rand(5000, 14, generator=generator)
    data = TensorDataset(threads, threads.prod(1, keepdim=True))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=50, sampler=sampler, num_workers=max(1, 16 // gpus_here))
    torch.manual_seed(0)
    net = DDP(nn.Linear(14, 1).to(device), device_ids=[local_rank])
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(4):
        sampler.set_epoch(epoch)
        for thread, product in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(thread.to(device)), product.to(device)).backward()
            optimizer.step()
    if rank == 0:
        print("done")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
