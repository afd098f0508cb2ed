'''Literals in single quotes, and one in a list that goes on.'''

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    local_rank = int(os.environ['LOCAL_RANK'])
    torch.cuda.set_device(local_rank)
    dist.init_process_group('nccl')
    device = torch.device('cuda', index=0)  # expect: wrong-device-index
    model = DistributedDataParallel(
        nn.Linear(7, 2).to('cuda:0'),  # expect: wrong-device-index
    )
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(75):
        rime = torch.randn(14, 7, device=device)
        loss = nn.functional.cross_entropy(model(rime), (rime[:, 0] > 0).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == '__main__':
    main()
