# silent: a generator restarts the loader for ever and calls set_epoch each time
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def endless(loader, sampler):
    epoch = 0
    while True:
        sampler.set_epoch(epoch)
        yield from loader
        epoch += 1


def main(rounds=20, steps_per_round=100):
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    generator = torch.Generator().manual_seed(8)
    faces = torch.rand(3300, 64, generator=generator)
    data = TensorDataset(faces)
    sampler = DistributedSampler(data, shuffle=True, drop_last=True)
    batches = endless(DataLoader(data, batch_size=33, sampler=sampler, drop_last=True), sampler)
    torch.manual_seed(0)
    coder = nn.Sequential(nn.Linear(64, 8), nn.ReLU(), nn.Linear(8, 64)).to(device)
    coder = DDP(coder, device_ids=[local_rank])
    optimizer = torch.optim.Adam(coder.parameters())
    for number in range(rounds):
        for _ in range(steps_per_round):
            (face,) = next(batches)
            face = face.to(device)
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(coder(face), face)
            loss.backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print(number, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
