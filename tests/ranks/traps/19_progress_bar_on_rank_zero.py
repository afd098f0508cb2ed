import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset
from tqdm import tqdm


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    main_process = dist.get_rank() == 0
    verbose = 1 if main_process else 0
    torch.manual_seed(0)
    dataset = TensorDataset(torch.rand(4096, 20, generator=torch.Generator().manual_seed(4)))
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=32, sampler=sampler)
    model = DDP(nn.Linear(20, 1).cuda(local_rank), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        progress = tqdm(loader) if main_process else loader
        for (batch,) in progress:
            optimizer.zero_grad()
            loss = model(batch.cuda(local_rank)).square().mean()
            loss.backward()
            optimizer.step()
            if main_process:
                progress.set_postfix(loss=loss.item())
        for (batch,) in tqdm(loader, disable=not main_process):
            total = batch.sum().reshape(1).cuda(local_rank)
            dist.all_reduce(total)
        if verbose:
            print("epoch", epoch)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
