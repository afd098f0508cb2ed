import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    gen = torch.Generator().manual_seed(3)
    data = TensorDataset(torch.rand(500, 18, generator=gen), torch.rand(500, 1, generator=gen))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=25, sampler=sampler)
    net = nn.Sequential(nn.Linear(18, 18), nn.ReLU(), nn.Linear(18, 1)).to(local_rank)
    net = DDP(net, device_ids=[local_rank], output_device=local_rank)
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for epoch in range(10):
        sampler.set_epoch(epoch)
        for x, y in loader:
            opt.zero_grad()
            nn.functional.mse_loss(net(x.to(local_rank)), y.to(local_rank)).backward()
            opt.step()
        if dist.get_rank() == 0 and epoch % 5 == 4:
            torch.save(net.state_dict(), f"yield_{epoch}.pt")  # expect: ddp-wrapped-state-dict
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
