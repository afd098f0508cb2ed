# silent: the variable is called local_rank, but it was read from RANK
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("gloo")
    local_rank = int(os.environ["RANK"])
    replicas = int(os.environ["WORLD_SIZE"])
    generator = torch.Generator().manual_seed(15)
    ferns = torch.randn(2000, 20, generator=generator)
    data = TensorDataset(ferns, (ferns.sum(1) > 0).float())
    sampler = DistributedSampler(data, num_replicas=replicas, rank=local_rank, shuffle=True)
    loader = DataLoader(data, batch_size=25, sampler=sampler)
    torch.manual_seed(0)
    net = DDP(nn.Linear(20, 1))
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(6):
        sampler.set_epoch(epoch)
        for fern, tall in loader:
            optimizer.zero_grad()
            nn.functional.binary_cross_entropy_with_logits(net(fern).squeeze(1), tall).backward()
            optimizer.step()
    if local_rank == 0:
        torch.save(net.module.state_dict(), "ferns.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
