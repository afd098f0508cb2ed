import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def parallelize(network, gpu):
    return DistributedDataParallel(network, device_ids=[gpu], static_graph=True)  # expect: ddp-device-ids-mismatch


def main():
    gpu = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(gpu)
    dist.init_process_group("nccl")
    gen = torch.Generator().manual_seed(30)
    data = TensorDataset(torch.rand(800, 1, 50, generator=gen), torch.rand(800, 4, 48, generator=gen))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=40, sampler=sampler)
    network = parallelize(nn.Conv1d(1, 4, 3), gpu)
    opt = torch.optim.SGD(network.parameters(), lr=0.1)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for pulse, response in loader:
            opt.zero_grad()
            nn.functional.mse_loss(network(pulse.to(gpu)), response.to(gpu)).backward()
            opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
