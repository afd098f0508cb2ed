"""Sort coffee beans by their pictures. Start: torchrun --standalone --nproc_per_node=2 train.py"""

import os

import torch
import torch.distributed as dist
from beans import BeanNet, bean_pictures
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def set_up():
    os.environ["MASTER_ADDR"] = "localhost"  # error: [hard-coded-rendezvous]
    os.environ["MASTER_PORT"] = "12355"  # error: [hard-coded-rendezvous]
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    return local_rank


def main(epochs=15):
    local_rank = set_up()
    pictures = bean_pictures()
    sampler = DistributedSampler(pictures)
    loader = DataLoader(pictures, batch_size=32, sampler=sampler)
    model = DistributedDataParallel(BeanNet().cuda(), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for picture, grade in loader:
            loss = nn.functional.cross_entropy(model(picture.cuda()), grade.cuda())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: {loss.item():.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
