import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main():
    rank = int(os.environ["RANK"])
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    generator = torch.Generator().manual_seed(1)
    tracks = torch.rand(9600, 8, generator=generator)
    data = TensorDataset(tracks, tracks.mean(1, keepdim=True))
    sampler = DistributedSampler(data, num_replicas=torch.cuda.device_count(), rank=local_rank)  # expect: sampler-rank-from-local-rank
    loader = DataLoader(data, batch_size=96, sampler=sampler)
    torch.manual_seed(0)
    net = DDP(nn.Linear(8, 1).to(device), device_ids=[local_rank])
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(4):
        sampler.set_epoch(epoch)
        for track, mean in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(track.to(device)), mean.to(device)).backward()
            optimizer.step()
    if rank == 0:
        torch.save(net.module.state_dict(), "tracks.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
