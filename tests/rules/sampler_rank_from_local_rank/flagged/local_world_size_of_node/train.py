import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

import comm


def loader_for(data, batch_size):
    sampler = DistributedSampler(data, num_replicas=comm.local_size(), rank=comm.local_rank(), shuffle=True)  # error: [sampler-rank-from-local-rank]
    return DataLoader(data, batch_size=batch_size, sampler=sampler)


def main():
    comm.start()
    device = torch.device("cuda", comm.local_rank())
    generator = torch.Generator().manual_seed(3)
    leaf = torch.rand(4200, 21, generator=generator)
    loader = loader_for(TensorDataset(leaf, leaf.var(1, keepdim=True)), 42)
    torch.manual_seed(0)
    net = DDP(nn.Linear(21, 1).to(device), device_ids=[comm.local_rank()])
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(5):
        loader.sampler.set_epoch(epoch)
        for sample, variance in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(sample.to(device)), variance.to(device)).backward()
            optimizer.step()
    if comm.is_main():
        torch.save(net.module.state_dict(), "leaf.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
