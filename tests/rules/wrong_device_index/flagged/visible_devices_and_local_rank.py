"""Each process is shown one GPU and then asks for it by the number it no longer has."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    os.environ["CUDA_VISIBLE_DEVICES"] = str(local_rank)  # expect-related: wrong-device-index
    torch.cuda.set_device(local_rank)  # expect: wrong-device-index
    dist.init_process_group("nccl")
    model = DistributedDataParallel(nn.Linear(13, 13).cuda())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(215):
        sleet = torch.randn(26, 13).cuda()
        loss = (model(sleet) - sleet.floor()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "sleet.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
