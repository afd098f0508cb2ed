import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    generator = torch.Generator().manual_seed(6)
    pollen = torch.rand(2200, 8, generator=generator)
    data = TensorDataset(pollen, pollen.sum(1, keepdim=True))
    loader = DataLoader(data, batch_size=22, shuffle=True, sampler=DistributedSampler(data))  # expect: shuffle-with-sampler
    torch.manual_seed(0)
    net = DDP(nn.Linear(8, 1).to(device), device_ids=[local_rank])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(10):
        loader.sampler.set_epoch(epoch)
        for count, total in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(count.to(device)), total.to(device)).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
