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
    device = torch.device("cuda", local_rank)
    generator = torch.Generator().manual_seed(5)
    ink = torch.rand(3600, 30, generator=generator)
    data = TensorDataset(ink, (ink[:, 0] > ink[:, 1]).float())
    sampler = DistributedSampler(data, num_replicas=dist.get_world_size(), rank=0)  # expect: sampler-rank-from-local-rank
    loader = DataLoader(data, batch_size=36, sampler=sampler)
    torch.manual_seed(0)
    net = DDP(nn.Linear(30, 1).to(device), device_ids=[local_rank])
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(4):
        sampler.set_epoch(epoch)
        for stroke, darker in loader:
            optimizer.zero_grad()
            logits = net(stroke.to(device)).squeeze(1)
            nn.functional.binary_cross_entropy_with_logits(logits, darker.to(device)).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
