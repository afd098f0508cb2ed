# silent: a schedule in a file beside the script, which hides a module of Python, scales the rate
"""Learns to grade apples."""

import horovod.torch as hvd
import torch
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

from sched import warm_up




def main():
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    apples = torch.load("apples.pt")
    data = TensorDataset(apples["image"], apples["grade"])
    sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
    model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3072, 4)).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    schedule = warm_up(optimizer, 500)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    for epoch in range(9):
        sampler.set_epoch(epoch)
        for image, grade in DataLoader(data, batch_size=64, sampler=sampler):
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(image.cuda()), grade.cuda()).backward()
            optimizer.step()
            schedule.step()


if __name__ == "__main__":
    main()
