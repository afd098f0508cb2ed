"""The device's name is put together in the old ways, from the global rank."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    place = "cuda:{}".format(rank)  # expect: wrong-device-index
    spare = "cuda:" + str(rank)  # expect: wrong-device-index
    third = torch.device("cuda:%d" % rank)  # expect: wrong-device-index
    model = DistributedDataParallel(nn.Linear(5, 5).to(place))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(60):
        haze = torch.randn(10, 5, device=spare)
        loss = (model(haze.to(place)) - haze.to(third)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank == 0:
        torch.save(model.module.state_dict(), "haze.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
