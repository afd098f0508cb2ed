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
    rank = dist.get_rank()
    generator = torch.Generator().manual_seed(4)
    tides = torch.rand(4000, 24, generator=generator)
    data = TensorDataset(tides[:, :23], tides[:, 23:])
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=40, sampler=sampler)
    model = DDP(nn.Linear(23, 1).cuda(local_rank), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    for epoch in range(30):
        sampler.set_epoch(epoch)
        for before, tide in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(before.cuda(local_rank)), tide.cuda(local_rank))
            loss.backward()
            optimizer.step()
        if rank == 0:  # related: [step-under-rank-guard]
            scheduler.step()  # error: [step-under-rank-guard]
            print("epoch", epoch, "loss", float(loss))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
