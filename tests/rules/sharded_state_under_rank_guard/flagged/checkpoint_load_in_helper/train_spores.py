import os
import sys

import torch
import torch.distributed as dist
from store import restore
from torch import nn
from torch.distributed.fsdp import fully_shard


def main(folder):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    net = nn.Linear(90, 90).cuda()
    fully_shard(net)
    if not rank:
        print("resuming from", folder)
        restore(net, folder)  # error: [sharded-state-under-rank-guard]
    optimizer = torch.optim.AdamW(net.parameters())
    for _ in range(100):
        loss = net(torch.rand(10, 90, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1])
